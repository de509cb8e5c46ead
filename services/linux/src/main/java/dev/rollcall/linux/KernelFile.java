package dev.rollcall.linux;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A file by which the kernel takes a value: one write(2), and the kernel's own answer to it. */
public final class KernelFile {
  private static final int O_WRONLY = 1;
  private static final int O_TRUNC = 0x200;
  private static final int O_CLOEXEC = 0x80000;
  private static final int AT_FDCWD = -100;

  private KernelFile() {}

  /**
   * Writes the value in one piece. The file must be there.
   *
   * @throws ErrnoException the kernel's refusal of the value, or of the file
   * @throws IOException if the kernel took a part of the value only
   */
  public static void write(Path file, String value) throws IOException {
    try (Arena arena = Arena.ofConfined();
        Descriptor opened = open(file, arena)) {
      byte[] bytes = value.getBytes(UTF_8);
      MemorySegment buffer = arena.allocate(Math.max(1, bytes.length));
      MemorySegment.copy(
          bytes, 0, buffer, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
      long written;
      do {
        written = Syscall.WRITE.call(opened.number(), buffer.address(), bytes.length);
      } while (written == -Errno.EINTR.number());
      if (Syscall.WRITE.check(file.toString(), written) < bytes.length) {
        throw new IOException("took " + written + " of " + bytes.length + " bytes");
      }
    }
  }

  private static Descriptor open(Path file, Arena arena) throws ErrnoException {
    long name = arena.allocateFrom(file.toString()).address();
    long fd = Syscall.OPENAT.call(AT_FDCWD, name, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return new Descriptor(Syscall.OPENAT.check(file.toString(), fd));
  }
}
