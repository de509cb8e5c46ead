package dev.rollcall.linux.quota;

import java.util.OptionalLong;

/**
 * The used space of a directory that has a limit, by the kernel's count.
 *
 * @param bytes on disk. btrfs counts what is written when a transaction is committed, which is
 *     every 30 seconds by default (btrfs(5), {@code commit=})
 * @param limit that it has; its bytes are {@link Long#MAX_VALUE} if it was lifted
 * @param inodes empty on btrfs, which does not count them
 */
record TreeUsage(long bytes, TreeLimit limit, OptionalLong inodes) {}
