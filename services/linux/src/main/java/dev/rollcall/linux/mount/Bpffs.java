package dev.rollcall.linux.mount;

import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;

/** The file system that keeps BPF objects after their process ended. */
public final class Bpffs {
  private static final long BPF_FS_MAGIC = 0xcafe4a11L; // linux/magic.h

  private Bpffs() {}

  /** Whether the path exists and lies in a bpffs. */
  public static boolean holds(Path path) throws ErrnoException {
    if (Files.notExists(path)) {
      return false;
    }
    return FileSystemStatus.typeOf(path) == BPF_FS_MAGIC;
  }

  /** Mounts a new, empty bpffs on the directory, which is made if it is not there. */
  public static void mount(Path directory) throws IOException {
    Files.createDirectories(directory);
    long flags = MountFlag.bits(EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV, MountFlag.NOEXEC));
    Mount.call("bpf on " + directory, "bpf", directory, "bpf", flags, "mode=0700");
  }
}
