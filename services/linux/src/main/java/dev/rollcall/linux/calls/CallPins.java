package dev.rollcall.linux.calls;

import dev.rollcall.linux.mount.Bpffs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory in a bpffs with the pinned objects that must outlive the agent. */
public final class CallPins {
  private static final int WRITABLE_BY_OTHERS = 022;

  private CallPins() {}

  /**
   * Makes the directory of this layout below the one given, and mounts a bpffs there if it does not
   * lie in one.
   */
  static Path prepare(Path bpfDirectory) throws IOException {
    if (!Bpffs.holds(existing(bpfDirectory.toAbsolutePath()))) {
      Bpffs.mount(bpfDirectory);
    }
    Path pins = bpfDirectory.resolve(CallLayout.VERSION);
    Files.createDirectories(
        pins, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    requireOurs(bpfDirectory, pins);
    return pins;
  }

  /** The directory itself or the nearest above it that is there; {@code /} always is. */
  private static Path existing(Path directory) {
    Path parent = directory.getParent();
    return parent == null || Files.exists(directory) ? directory : existing(parent);
  }

  /** All users may write to some bpffs. The creator of the directory could remove pins from it. */
  private static void requireOurs(Path... directories) throws IOException {
    for (Path directory : directories) {
      int owner = (Integer) Files.getAttribute(directory, "unix:uid");
      int mode = (Integer) Files.getAttribute(directory, "unix:mode");
      if (owner != 0 || (mode & WRITABLE_BY_OTHERS) != 0) {
        throw new IOException(
            directory
                + " does not belong to root only: uid "
                + owner
                + ", mode "
                + Integer.toOctalString(mode));
      }
    }
  }
}
