package dev.rollcall.linux.quota;

import java.util.OptionalLong;

/**
 * The size limit of a directory with all below it.
 *
 * @param bytes on disk, more than 0. ext4 and XFS count in KiB and round it up
 * @param inodes files, directories and whatever else has an inode, with the directory itself; more
 *     than 0. Empty: any number
 */
public record TreeLimit(long bytes, OptionalLong inodes) {
  public TreeLimit {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a limit of " + bytes + " bytes");
    }
    inodes.ifPresent(number -> {
      if (number <= 0) {
        throw new IllegalArgumentException("a limit of " + number + " inodes");
      }
    });
  }
}
