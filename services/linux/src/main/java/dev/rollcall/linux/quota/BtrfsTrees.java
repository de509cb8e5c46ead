package dev.rollcall.linux.quota;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads what btrfs has on disk of subvolumes and qgroups (linux/btrfs_tree.h). What is not yet
 * committed is there, but for what qgroups count.
 *
 * @param fileSystem any directory on it
 */
record BtrfsTrees(Descriptor fileSystem) {
  private static final long ROOT_TREE = 1;
  static final long QUOTA_TREE = 8;
  private static final int ROOT_ITEM = 132;
  private static final int ROOT_REF = 156;
  private static final int QGROUP_STATUS = 240;
  private static final int QGROUP_LIMIT = 244;
  private static final int QGROUP_RELATION = 246;

  private static final int ITEMS_AT = 104; // struct btrfs_ioctl_search_key
  private static final int HEADER = 32; // struct btrfs_ioctl_search_header

  /**
   * The state of the quotas.
   *
   * @param simple rather than full ones
   * @param inconsistent when nothing is counted any more
   */
  record Status(boolean simple, boolean inconsistent) {}

  record Item(long offset, ByteBuffer content) {
    long number(int at) {
      return content.getLong(at);
    }
  }

  /** Empty if quotas are off. */
  Optional<Status> status() throws ErrnoException {
    return find(QUOTA_TREE, 0, QGROUP_STATUS, 0, -1).stream()
        .map(item -> item.number(16))
        .map(flags -> new Status((flags & 8) != 0, (flags & 4) != 0))
        .findFirst();
  }

  boolean exists(long subvolume) throws ErrnoException {
    return !find(ROOT_TREE, subvolume, ROOT_ITEM, 0, -1).isEmpty();
  }

  /** Those below a subvolume, of any depth. */
  Set<Long> below(long subvolume) throws ErrnoException {
    Set<Long> found = new HashSet<>();
    Deque<Long> left = new ArrayDeque<>(List.of(subvolume));
    while (!left.isEmpty()) {
      for (Item child : find(ROOT_TREE, left.remove(), ROOT_REF, 0, -1)) {
        if (found.add(child.offset)) {
          left.add(child.offset);
        }
      }
    }
    return found;
  }

  /** All groups of our level. */
  List<Long> ours() throws ErrnoException {
    long last = Qgroups.LEVEL | 0xFFFF_FFFF_FFFFL;
    return find(QUOTA_TREE, 0, QGROUP_LIMIT, Qgroups.LEVEL, last).stream()
        .map(Item::offset)
        .toList();
  }

  List<Long> members(long ours) throws ErrnoException {
    return find(QUOTA_TREE, ours, QGROUP_RELATION, 0, Qgroups.LEVEL - 1).stream()
        .map(Item::offset)
        .toList();
  }

  /** In bytes, {@link Long#MAX_VALUE} without one; empty if there is no such group. */
  OptionalLong limit(long group) throws ErrnoException {
    return find(QUOTA_TREE, 0, QGROUP_LIMIT, group, group).stream()
        .mapToLong(item -> (item.number(0) & 1) != 0 ? item.number(8) : Long.MAX_VALUE)
        .findFirst();
  }

  List<Item> find(long tree, long object, int type, long from, long to) throws ErrnoException {
    List<Item> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = Ioctl.BTRFS_IOC_TREE_SEARCH.argument(arena);
      long next = from;
      while (true) {
        fill(key, tree, object, type, next, to);
        long result = Ioctl.BTRFS_IOC_TREE_SEARCH.call(fileSystem.number(), key);
        if (result == -Errno.ENOENT.number()) { // no such tree
          return found;
        }
        Ioctl.BTRFS_IOC_TREE_SEARCH.check("tree " + tree, result);
        int before = found.size();
        read(key, found);
        if (found.size() == before || found.getLast().offset == to) {
          return found;
        }
        next = found.getLast().offset + 1;
      }
    }
  }

  private static void fill(
      MemorySegment key, long tree, long object, int type, long from, long to) {
    key.fill((byte) 0);
    key.set(JAVA_LONG, 0, tree);
    key.set(JAVA_LONG, 8, object);
    key.set(JAVA_LONG, 16, object);
    key.set(JAVA_LONG, 24, from);
    key.set(JAVA_LONG, 32, to);
    key.set(JAVA_LONG, 48, -1L); // any transaction
    key.set(ValueLayout.JAVA_INT, 56, type);
    key.set(ValueLayout.JAVA_INT, 60, type);
    key.set(ValueLayout.JAVA_INT, 64, Integer.MAX_VALUE);
  }

  private static void read(MemorySegment key, List<Item> found) {
    int items = key.get(ValueLayout.JAVA_INT, 64);
    long at = ITEMS_AT;
    for (int i = 0; i < items; i++) {
      long length = Integer.toUnsignedLong(key.get(JAVA_INT_UNALIGNED, at + 28));
      byte[] content = key.asSlice(at + HEADER, length).toArray(ValueLayout.JAVA_BYTE);
      long offset = key.get(JAVA_LONG_UNALIGNED, at + 16);
      found.add(new Item(offset, ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN)));
      at += HEADER + length;
    }
  }
}
