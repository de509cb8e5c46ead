package dev.rollcall.linux.quota;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A subvolume of btrfs, by its number, which the file system never assigns again. */
public record Subvolume(long number) {
  /** The inode of the top directory of every subvolume, BTRFS_FIRST_FREE_OBJECTID. */
  private static final long TOP = 256;

  private static final int NAME_AT = 8; // struct btrfs_ioctl_vol_args: fd, name

  /** Makes an empty one, with the mode that the umask leaves of 0777. */
  static void create(Descriptor above, Path name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = Ioctl.BTRFS_IOC_SUBVOL_CREATE.argument(arena);
      argument.setString(NAME_AT, name.toString());
      Ioctl.BTRFS_IOC_SUBVOL_CREATE.check(
          name, Ioctl.BTRFS_IOC_SUBVOL_CREATE.call(above.number(), argument));
    }
  }

  /** The one that a directory is in. */
  static Subvolume of(Descriptor directory) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = Ioctl.BTRFS_IOC_INO_LOOKUP.argument(arena); // treeid, objectid, name
      argument.set(JAVA_LONG, 8, TOP);
      Ioctl.BTRFS_IOC_INO_LOOKUP.check(
          directory, Ioctl.BTRFS_IOC_INO_LOOKUP.call(directory.number(), argument));
      return new Subvolume(argument.get(JAVA_LONG, 0));
    }
  }

  /**
   * Makes one that is read-only writable, as a user's snapshot may be.
   *
   * @param top its top directory
   * @return false if it is no such directory, or it cannot be done
   */
  public static boolean makeWritable(Descriptor top) {
    return Ioctl.BTRFS_IOC_SUBVOL_SETFLAGS.call(top.number(), /* no flags */ 0) == 0;
  }

  /**
   * Lifts the limit of the one that a directory is in, so that it can be removed: btrfs needs space
   * for that, too.
   *
   * @param outside a directory on the same file system: in the one that is full even this call
   *     fails
   * @return false if it has none, or is on another file system
   */
  public static boolean lift(Descriptor directory, Descriptor outside) {
    try {
      long number = of(directory).number;
      var groups = new Qgroups(outside);
      boolean own = groups.lift(number);
      return groups.lift(Qgroups.ours(number)) || own;
    } catch (ErrnoException e) {
      return false;
    }
  }
}
