package dev.rollcall.linux.quota;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The project id of a file or directory, struct fsxattr of linux/fs.h.
 *
 * @param inherited by what is made in it, FS_XFLAG_PROJINHERIT
 */
public record ProjectAttributes(int project, boolean inherited) {
  private static final int FLAGS_AT = 0;
  private static final int PROJECT_AT = 12;
  private static final int INHERIT = 0x200;

  static ProjectAttributes of(Descriptor directory) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = read(directory, arena);
      return new ProjectAttributes(
          attributes.get(JAVA_INT, PROJECT_AT),
          (attributes.get(JAVA_INT, FLAGS_AT) & INHERIT) != 0);
    }
  }

  /** Gives them to a directory. */
  void set(Descriptor directory) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = read(directory, arena);
      int others = attributes.get(JAVA_INT, FLAGS_AT) & ~INHERIT;
      attributes.set(JAVA_INT, FLAGS_AT, inherited ? others | INHERIT : others);
      attributes.set(JAVA_INT, PROJECT_AT, project);
      long result = Ioctl.FS_IOC_FSSETXATTR.call(directory.number(), attributes);
      if (result == -Errno.EOPNOTSUPP.number()) {
        throw new IOException("its file system has no projects: tune2fs -O project,quota");
      }
      Ioctl.FS_IOC_FSSETXATTR.check("project " + Integer.toUnsignedString(project), result);
    }
  }

  /**
   * Lets things of any project be moved into a directory: the kernel refuses that, with EXDEV, if
   * it hands down its own. Does nothing where there are no projects.
   */
  public static void takeAll(Descriptor directory) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = Ioctl.FS_IOC_FSGETXATTR.argument(arena);
      long told = Ioctl.FS_IOC_FSGETXATTR.call(directory.number(), attributes);
      if (told == 0 && (attributes.get(JAVA_INT, FLAGS_AT) & INHERIT) != 0) {
        new ProjectAttributes(attributes.get(JAVA_INT, PROJECT_AT), false).set(directory);
      }
    }
  }

  private static MemorySegment read(Descriptor directory, Arena arena) throws IOException {
    MemorySegment attributes = Ioctl.FS_IOC_FSGETXATTR.argument(arena);
    Ioctl.FS_IOC_FSGETXATTR.check(
        directory, Ioctl.FS_IOC_FSGETXATTR.call(directory.number(), attributes));
    return attributes;
  }
}
