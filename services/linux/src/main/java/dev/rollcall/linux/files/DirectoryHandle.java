package dev.rollcall.linux.files;

import static dev.rollcall.linux.PathBytes.address;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.quota.ProjectAttributes;
import dev.rollcall.linux.quota.Subvolume;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * An open directory whose entries are reached by their names in it and nowhere else: no symbolic
 * link is followed, and no mount is entered (openat2(2), Linux 5.6). Results of calls are the
 * kernel's: negated errnos. Long, as all that knows of system calls is here.
 */
record DirectoryHandle(Descriptor descriptor) implements AutoCloseable {
  private static final int O_DIRECTORY = Syscall.aarch64() ? 0x4000 : 0x10000;
  private static final int O_NOFOLLOW = Syscall.aarch64() ? 0x8000 : 0x20000;
  private static final long OPEN = O_DIRECTORY | O_NOFOLLOW | Descriptor.O_CLOEXEC;
  private static final int AT_REMOVEDIR = 0x200;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int RENAME_NOREPLACE = 1;

  /** struct open_how: flags, mode, resolve; linux/openat2.h. */
  private static final int OPEN_HOW_SIZE = 24;

  private static final long RESOLVE_NO_XDEV = 1;
  private static final long RESOLVE_NO_SYMLINKS = 4;
  private static final long RESOLVE_BENEATH = 8;

  /**
   * struct statx: stx_mask at 0, stx_uid at 20, stx_mode at 28, stx_dev at 136, stx_mnt_id at 144;
   * linux/stat.h.
   */
  private static final int STATX_SIZE = 256;

  private static final int STATX_MODE_AND_UID = 0x2 | 0x8;
  private static final int STATX_MNT_ID = 0x1000;
  private static final int OWNERS_ALONE = 0700;
  private static final int LISTED_BYTES = 1 << 15;

  /** Opens a directory by its path; its last name must be no symbolic link. */
  static DirectoryHandle open(Path path) throws ErrnoException {
    return new DirectoryHandle(Descriptor.open(path, O_DIRECTORY | O_NOFOLLOW));
  }

  /** Takes over what {@link #openBelow} returned. */
  static DirectoryHandle of(long number) {
    return new DirectoryHandle(new Descriptor(number));
  }

  /** The descriptor of a directory in this one, or a negated errno: EXDEV if it is a mount. */
  long openBelow(byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = arena.allocate(OPEN_HOW_SIZE, 8);
      how.set(JAVA_LONG, 0, OPEN);
      how.set(JAVA_LONG, 16, RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
      long opened =
          Syscall.OPENAT2.call(
              descriptor.number(), address(arena, name), how.address(), OPEN_HOW_SIZE, 0, 0);
      return opened == -Errno.ENOSYS.number() ? openBelowAndCompare(name) : opened;
    }
  }

  /**
   * Without openat2(2), which systemd's RestrictSUIDSGID= says is not there (systemd 246). The name
   * has no slash and is no dots; it is a mount if its mount differs from this one's, or where
   * mounts are not told, its device: then a subvolume of btrfs is taken for one.
   */
  long openBelowAndCompare(byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      long opened = Syscall.OPENAT.call(descriptor.number(), address(arena, name), OPEN);
      if (opened < 0) {
        return opened;
      }
      boolean same = false;
      try {
        same = mount(descriptor.number()).isOf(mount(opened));
        return same ? opened : -Errno.EXDEV.number();
      } catch (ErrnoException e) {
        return -e.errno();
      } finally {
        if (!same) {
          Syscall.CLOSE.call(opened);
        }
      }
    }
  }

  /** A device, and the number of a mount, which is 0 before Linux 5.8. */
  private record Place(long device, long mount) {
    boolean isOf(Place other) {
      return mount == other.mount && (mount != 0 || device == other.device);
    }
  }

  private static Place mount(long descriptor) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stat = stat(arena, descriptor, STATX_MNT_ID);
      boolean told = (stat.get(JAVA_INT, 0) & STATX_MNT_ID) != 0;
      return new Place(stat.get(JAVA_LONG, 136), told ? stat.get(JAVA_LONG, 144) : 0);
    }
  }

  private static MemorySegment stat(Arena arena, long descriptor, int mask) throws ErrnoException {
    MemorySegment stat = arena.allocate(STATX_SIZE, 8);
    long empty = arena.allocateFrom("").address();
    Syscall.STATX.check(
        "fd " + descriptor,
        Syscall.STATX.call(descriptor, empty, AT_EMPTY_PATH, mask, stat.address(), 0));
    return stat;
  }

  /**
   * Makes it its caller's own, with mode 0700. The kernel asks for permission under the lock of the
   * directory: when this returns, nobody without privileges can add to it, or move anything into it
   * or out of it, even by a descriptor or a working directory. Of others' directories it needs
   * CAP_CHOWN.
   *
   * @return 0, or a negated errno
   */
  long claim() {
    long result = claimAsItIs();
    boolean again = result == -Errno.EROFS.number() && Subvolume.makeWritable(descriptor);
    return again ? claimAsItIs() : result;
  }

  private long claimAsItIs() {
    long owned = Syscall.FCHOWN.call(descriptor.number(), Syscall.GETEUID.call(0), -1);
    // In this order: who owns it could undo the mode.
    return owned < 0 ? owned : Syscall.FCHMOD.call(descriptor.number(), OWNERS_ALONE, 0);
  }

  /**
   * Lifts the limit of the subvolume of btrfs that it is in; false if there is none.
   *
   * @param outside a directory on the same file system that is not in it
   */
  boolean lift(DirectoryHandle outside) {
    return Subvolume.lift(descriptor, outside.descriptor);
  }

  /** Lets things of any project be moved into it, as far as that can be done. */
  void takeAll() {
    try {
      ProjectAttributes.takeAll(descriptor);
    } catch (IOException e) {
      return; // then what cannot be moved into it is named
    }
  }

  /** Whether both are in one file system, and of btrfs in one subvolume. */
  boolean isBeside(DirectoryHandle other) throws ErrnoException {
    return mount(descriptor.number()).device == mount(other.descriptor.number()).device;
  }

  /** Whether it is its caller's own, with mode 0700; as octal mode and owner if it is not. */
  String strangeness() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stat = stat(arena, descriptor.number(), STATX_MODE_AND_UID);
      int owner = stat.get(JAVA_INT, 20);
      int mode = stat.get(JAVA_SHORT, 28) & 07777;
      return owner == Syscall.GETEUID.call(0) && mode == OWNERS_ALONE
          ? ""
          : "owner %s, mode %04o".formatted(Integer.toUnsignedString(owner), mode);
    }
  }

  /** Reads on: some of the entries that were not read yet. None at the end. */
  DirectoryEntries list() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(LISTED_BYTES, 8);
      while (true) {
        long read = Syscall.GETDENTS64.call(descriptor.number(), buffer.address(), LISTED_BYTES);
        if (read <= 0) {
          return new DirectoryEntries(List.of(), (int) read);
        }
        DirectoryEntries some = DirectoryEntries.parse(buffer, read);
        if (!some.entries().isEmpty()) {
          return some;
        }
      }
    }
  }

  /** Reads from the beginning again. */
  long rewind() {
    return Syscall.LSEEK.call(descriptor.number(), 0, 0);
  }

  /** 0, or a negated errno. */
  long removeFile(byte[] name) {
    return unlink(name, 0);
  }

  /** 0, or a negated errno. */
  long removeDirectory(byte[] name) {
    return unlink(name, AT_REMOVEDIR);
  }

  private long unlink(byte[] name, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      return Syscall.UNLINKAT.call(descriptor.number(), address(arena, name), flags);
    }
  }

  /** Makes a directory of mode 0700; 0, or a negated errno. */
  long make(byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      return Syscall.MKDIRAT.call(descriptor.number(), address(arena, name), OWNERS_ALONE);
    }
  }

  /** Moves an entry into another directory, where the name is free; 0, or a negated errno. */
  long move(byte[] name, DirectoryHandle to, byte[] newName) {
    return move(descriptor.number(), name, to, newName);
  }

  /** Moves what has the path into this directory, if the name is free; 0, or a negated errno. */
  long take(byte[] path, byte[] newName) {
    return move(Descriptor.AT_FDCWD, path, this, newName);
  }

  private static long move(int from, byte[] name, DirectoryHandle to, byte[] newName) {
    long result = rename(from, name, to, newName, RENAME_NOREPLACE);
    return result == -Errno.EINVAL.number() ? moveUnflagged(from, name, to, newName) : result;
  }

  /**
   * Where the file system does not know the flag, as NFS. Of a directory the kernel replaces no
   * more than an empty directory.
   */
  static long moveUnflagged(int from, byte[] name, DirectoryHandle to, byte[] newName) {
    long result = rename(from, name, to, newName, 0);
    boolean taken = result == -Errno.ENOTEMPTY.number() || result == -Errno.ENOTDIR.number();
    return taken ? -Errno.EEXIST.number() : result;
  }

  private static long rename(int from, byte[] name, DirectoryHandle to, byte[] newName, int flag) {
    try (Arena arena = Arena.ofConfined()) {
      long old = address(arena, name);
      long there = address(arena, newName);
      return Syscall.RENAMEAT2.call(from, old, to.descriptor.number(), there, flag, 0);
    }
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
