package dev.rollcall.linux.mount;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file system that keeps BPF objects after their process ended. */
public final class Bpffs {
  private static final long BPF_FS_MAGIC = 0xcafe4a11L; // linux/magic.h
  private static final int MS_NOSUID = 2;
  private static final int MS_NODEV = 4;
  private static final int MS_NOEXEC = 8;

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
    try (Arena arena = Arena.ofConfined()) {
      long type = arena.allocateFrom("bpf").address();
      long target = arena.allocateFrom(directory.toString()).address();
      long mode = arena.allocateFrom("mode=0700").address();
      long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
      Syscall.MOUNT.check(
          "bpf on " + directory, Syscall.MOUNT.call(type, target, type, flags, mode, 0));
    }
  }

  /** Takes the mount away; what was pinned in it goes with it. */
  public static void unmount(Path directory) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long target = arena.allocateFrom(directory.toString()).address();
      Syscall.UMOUNT2.check(directory.toString(), Syscall.UMOUNT2.call(target, /* flags */ 0, 0));
    }
  }
}
