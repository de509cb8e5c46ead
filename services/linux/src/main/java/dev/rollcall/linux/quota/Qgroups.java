package dev.rollcall.linux.quota;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;

/**
 * Changes the qgroups of a btrfs file system, btrfs-qgroup(8). Those of level 0 are subvolumes, by
 * their numbers.
 *
 * @param fileSystem any directory on it
 */
record Qgroups(Descriptor fileSystem) {
  /**
   * The level of our own, {@code 21068/NUMBER} in btrfs-qgroup(8): one for each subvolume that we
   * limit. Each remembers that we did, and with simple quotas it has the limit.
   */
  static final long LEVEL = 0x524CL << 48;

  private static final long MAX_REFERENCED = 1; // BTRFS_QGROUP_LIMIT_MAX_RFER
  private static final long NO_LIMIT = -1;

  /** Ours for a subvolume. */
  static long ours(long subvolume) {
    return LEVEL | subvolume;
  }

  static long subvolumeOf(long ours) {
    return ours & ~LEVEL;
  }

  void create(long group) throws ErrnoException {
    Ioctl.BTRFS_IOC_QGROUP_CREATE.check(name(group), createOrDestroy(1, group));
  }

  /** False if it cannot be yet, as it has members or is a subvolume's that still is there. */
  boolean destroy(long group) throws ErrnoException {
    long result = createOrDestroy(0, group);
    if (result == -Errno.EBUSY.number()) {
      return false;
    }
    if (result != -Errno.ENOENT.number()) {
      Ioctl.BTRFS_IOC_QGROUP_CREATE.check("no " + name(group), result);
    }
    return true;
  }

  private long createOrDestroy(long create, long group) {
    return Ioctl.BTRFS_IOC_QGROUP_CREATE.call(fileSystem.number(), create, group);
  }

  /** Sets how many bytes it may refer to. */
  void limit(long group, long bytes) throws ErrnoException {
    Ioctl.BTRFS_IOC_QGROUP_LIMIT.check(name(group), setLimit(group, bytes));
  }

  /** False if there is no such group. */
  boolean lift(long group) {
    return setLimit(group, NO_LIMIT) == 0;
  }

  private long setLimit(long group, long bytes) {
    return Ioctl.BTRFS_IOC_QGROUP_LIMIT.call(fileSystem.number(), group, MAX_REFERENCED, bytes);
  }

  void add(long member, long group) throws ErrnoException {
    assign(1, member, group);
  }

  void take(long member, long group) throws ErrnoException {
    assign(0, member, group);
  }

  private void assign(long assign, long member, long group) throws ErrnoException {
    Ioctl.BTRFS_IOC_QGROUP_ASSIGN.check(
        name(member) + " in " + name(group),
        Ioctl.BTRFS_IOC_QGROUP_ASSIGN.call(fileSystem.number(), assign, member, group));
  }

  private static String name(long group) {
    return "qgroup " + (group >>> 48) + "/" + (group & 0xFFFF_FFFF_FFFFL);
  }
}
