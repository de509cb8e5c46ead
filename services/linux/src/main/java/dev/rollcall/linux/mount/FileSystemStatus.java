package dev.rollcall.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Reads {@code struct statfs} of 64-bit systems, asm-generic/statfs.h. */
public final class FileSystemStatus {
  private static final int SIZE = 120;
  private static final long TYPE_AT = 0;
  static final long FLAGS_AT = 80;

  private FileSystemStatus() {}

  static MemorySegment read(Path path, Arena arena) throws ErrnoException {
    MemorySegment status = arena.allocate(SIZE, 8);
    long name = arena.allocateFrom(path.toString()).address();
    Syscall.STATFS.check(path.toString(), Syscall.STATFS.call(name, status.address(), 0));
    return status;
  }

  /** A magic number of linux/magic.h. */
  public static long typeOf(Path path) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      return read(path, arena).get(JAVA_LONG, TYPE_AT);
    }
  }
}
