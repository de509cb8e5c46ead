package dev.rollcall.linux.quota;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Requests of ioctl(2) by linux/btrfs.h and linux/fs.h; the same on x86_64 and aarch64. */
enum Ioctl {
  BTRFS_IOC_SUBVOL_CREATE(0x5000940EL, 4096),
  BTRFS_IOC_TREE_SEARCH(0xD0009411L, 4096),
  BTRFS_IOC_INO_LOOKUP(0xD0009412L, 4096),
  BTRFS_IOC_SUBVOL_SETFLAGS(0x4008941AL, 8),
  BTRFS_IOC_QGROUP_ASSIGN(0x40189429L, 24),
  BTRFS_IOC_QGROUP_CREATE(0x4010942AL, 16),
  BTRFS_IOC_QGROUP_LIMIT(0x8030942BL, 48),
  FS_IOC_FSGETXATTR(0x801C581FL, 28),
  FS_IOC_FSSETXATTR(0x401C5820L, 28);

  private final long request;
  private final int size;

  Ioctl(long request, int size) {
    this.request = request;
    this.size = size;
  }

  /** Of the size that the request has, and zero. */
  MemorySegment argument(Arena arena) {
    return arena.allocate(size, 8);
  }

  /** The result, or a negated errno. */
  long call(int descriptor, MemorySegment argument) {
    return Syscall.IOCTL.call(descriptor, request, argument.address());
  }

  /** The same with an argument of these numbers, 8 bytes each. */
  long call(int descriptor, long... numbers) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = argument(arena);
      for (int i = 0; i < numbers.length; i++) {
        argument.setAtIndex(JAVA_LONG, i, numbers[i]);
      }
      return call(descriptor, argument);
    }
  }

  /** Throws with the name of the request. */
  void check(Object subject, long result) throws ErrnoException {
    if (result < 0) {
      throw new ErrnoException("ioctl", name() + " of " + subject, (int) -result);
    }
  }
}
