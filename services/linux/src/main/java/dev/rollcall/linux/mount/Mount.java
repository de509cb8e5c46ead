package dev.rollcall.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.PathBytes;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;

/**
 * Calls mount(2) and umount2(2), with one method for each use. All act in the mount namespace of
 * the calling thread, and all throw an {@link ErrnoException} that names the call and what it was
 * about.
 */
public final class Mount {
  private static final long MS_REMOUNT = 1 << 5;
  private static final long MS_BIND = 1 << 12;
  private static final long MS_MOVE = 1 << 13;
  private static final long MS_REC = 1 << 14;
  private static final int MNT_DETACH = 2;
  private static final int UMOUNT_NOFOLLOW = 8;

  /** How mounts and unmounts spread, mount_namespaces(7). */
  public enum Propagation {
    /** Neither in nor out. */
    PRIVATE(1 << 18),
    /** In, and not out. */
    SLAVE(1 << 19),
    SHARED(1 << 20);

    private final long bit;

    Propagation(long bit) {
      this.bit = bit;
    }
  }

  private Mount() {}

  /** Shows the source, without what is mounted below it, at the target. */
  public static void bind(Path source, Path target) throws ErrnoException {
    call("bind " + source + " on " + target, source.toString(), target, "", MS_BIND, "");
  }

  /** The same with all that is mounted below the source. */
  public static void bindBelow(Path source, Path target) throws ErrnoException {
    String what = "bind " + source + " and all below it on " + target;
    call(what, source.toString(), target, "", MS_BIND | MS_REC, "");
  }

  /** Moves a mount to another place. */
  public static void move(Path mounted, Path target) throws ErrnoException {
    String what = "move " + mounted + " to " + target;
    call(what, mounted.toString(), target, "", MS_MOVE, "");
  }

  /** Gives a bind mount flags of its own: the mount that makes it ignores them. */
  public static void restrict(Path bound, Set<MountFlag> flags) throws ErrnoException {
    long all = MS_REMOUNT | MS_BIND | MountFlag.bits(flags);
    call("flags " + flags + " of " + bound, "none", bound, "", all, "");
  }

  /** A new, empty tmpfs. */
  public static void tmpfs(Path target, Set<MountFlag> flags, String data) throws ErrnoException {
    String what = "tmpfs on " + target + (data.isEmpty() ? "" : " with " + data);
    call(what, "tmpfs", target, "tmpfs", MountFlag.bits(flags), data);
  }

  /** Says how mounts spread at this one alone. */
  public static void propagate(Path at, Propagation how) throws ErrnoException {
    call(how + " at " + at, "none", at, "", how.bit, "");
  }

  /** Says how mounts spread at this one and at all below. */
  public static void propagateBelow(Path at, Propagation how) throws ErrnoException {
    call(how + " below " + at, "none", at, "", how.bit | MS_REC, "");
  }

  /**
   * Takes a mount, and what is mounted below it, out of sight at once. Who uses it may go on.
   *
   * @return false if nothing is mounted there
   */
  public static boolean detach(Path mounted) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long target = PathBytes.address(arena, PathBytes.of(mounted));
      long result = Syscall.UMOUNT2.call(target, MNT_DETACH | UMOUNT_NOFOLLOW, 0);
      if (result == -Errno.EINVAL.number() || result == -Errno.ENOENT.number()) {
        return false;
      }
      Syscall.UMOUNT2.check(mounted.toString(), result);
      return true;
    }
  }

  /** What the mount that a path is on does not let its users do (statfs(2)). */
  public static Set<MountFlag> flagsOf(Path path) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment statfs = FileSystemStatus.read(path, arena);
      return MountFlag.ofStatus(statfs.get(JAVA_LONG, FileSystemStatus.FLAGS_AT));
    }
  }

  /**
   * @param what it is, for the error
   * @param type empty where the flags say it
   */
  static void call(String what, String source, Path target, String type, long flags, String data)
      throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long result =
          Syscall.MOUNT.call(
              arena.allocateFrom(source).address(),
              PathBytes.address(arena, PathBytes.of(target)),
              type.isEmpty() ? 0 : arena.allocateFrom(type).address(),
              flags,
              data.isEmpty() ? 0 : arena.allocateFrom(data).address(),
              0);
      Syscall.MOUNT.check(what, result);
    }
  }
}
