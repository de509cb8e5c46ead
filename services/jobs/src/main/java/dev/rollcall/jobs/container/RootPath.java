package dev.rollcall.jobs.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * Paths that nobody but root can make lead elsewhere: what root mounts on them, or makes below
 * them, lands where it was meant to.
 */
final class RootPath {
  private static final int GROUP_WRITES = 0020;
  private static final int OTHERS_WRITE = 0002;
  private static final int STICKY = 01000;
  private static final Object ROOT = 0;

  private RootPath() {}

  /**
   * The directory at the end may be anybody's, all above it may not.
   *
   * @return the path without symbolic links
   * @throws IOException naming the directory on the way that others may change
   */
  static Path to(Path path) throws IOException {
    Path real = path.toRealPath();
    for (Path way : List.of(path.normalize(), real)) {
      for (Path at = way; at.getParent() != null; at = at.getParent()) {
        checkEntry(at.getParent(), at, path);
      }
    }
    return real;
  }

  /** As {@link #to}, and what is in the directory may be changed by root alone, too. */
  static void require(Path directory) throws IOException {
    to(directory);
    if (!isRoots(directory) || isWritten(directory)) {
      throw new IOException(directory + ": users other than root may change it");
    }
  }

  private static void checkEntry(Path parent, Path entry, Path path) throws IOException {
    boolean sticks = (mode(parent) & STICKY) != 0 && isRoots(entry);
    if (!isRoots(parent) || (isWritten(parent) && !sticks)) {
      throw new IOException(path + ": users other than root may change " + parent);
    }
  }

  private static boolean isWritten(Path directory) throws IOException {
    boolean group =
        (mode(directory) & GROUP_WRITES) != 0
            && !ROOT.equals(Files.getAttribute(directory, "unix:gid", LinkOption.NOFOLLOW_LINKS));
    return group || (mode(directory) & OTHERS_WRITE) != 0;
  }

  private static int mode(Path directory) throws IOException {
    return (int) Files.getAttribute(directory, "unix:mode");
  }

  private static boolean isRoots(Path path) throws IOException {
    return ROOT.equals(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
  }
}
