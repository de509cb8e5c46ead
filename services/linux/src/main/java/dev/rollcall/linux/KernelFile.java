package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a kernel file to its end, or writes a value with one write(2), without the other system
 * calls of the JDK.
 */
public final class KernelFile {
  private static final int O_TRUNC = 0x200;
  private static final int NAME = 512;

  /** Of most files that are read often, with room to see their end: seq_file(9) tells a page. */
  private static final int FIRST_READ = 4_096;

  /** One for each thread: a name, and what is read. */
  private static final ThreadLocal<MemorySegment> SCRATCH =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(NAME + FIRST_READ));

  private KernelFile() {}

  /**
   * Reads the whole file.
   *
   * @throws ErrnoException of open(2) or read(2): ENOENT; for a process that is gone also ESRCH
   */
  public static byte[] read(String file) throws ErrnoException {
    return read(file, Long.MAX_VALUE);
  }

  /**
   * Reads the beginning of the file: at least so many bytes if it has them, and at most one read(2)
   * more.
   *
   * @throws ErrnoException as {@link #read(String)}
   */
  public static byte[] read(String file, long atLeast) throws ErrnoException {
    MemorySegment scratch = SCRATCH.get();
    long fd = Syscall.OPENAT.check(file, open(file.getBytes(UTF_8), scratch));
    return read(file, fd, scratch, atLeast);
  }

  /**
   * The same of a file whose name, or a name above it, may be no text.
   *
   * @throws ErrnoException as {@link #read(String)}
   */
  public static byte[] read(Path file, long atLeast) throws ErrnoException {
    MemorySegment scratch = SCRATCH.get();
    String name = file.toString();
    return read(
        name, Syscall.OPENAT.check(name, open(PathBytes.of(file), scratch)), scratch, atLeast);
  }

  /**
   * Reads the whole file, if it can be opened: for files that are often not there, where an
   * exception would cost more than the rest.
   *
   * @throws ErrnoException of read(2)
   */
  public static Optional<byte[]> readIfThere(String file) throws ErrnoException {
    MemorySegment scratch = SCRATCH.get();
    long fd = open(file.getBytes(UTF_8), scratch);
    return fd < 0 ? Optional.empty() : Optional.of(read(file, fd, scratch, Long.MAX_VALUE));
  }

  private static byte[] read(String file, long fd, MemorySegment scratch, long atLeast)
      throws ErrnoException {
    try (Descriptor opened = new Descriptor(fd)) {
      MemorySegment buffer = scratch.asSlice(NAME);
      byte[] all = new byte[0];
      int length = 0;
      int read;
      do {
        read = readSome(file, opened, buffer);
        if (length + read > all.length) {
          all = Arrays.copyOf(all, length == 0 ? read : 2 * length + read);
        }
        MemorySegment.copy(buffer, JAVA_BYTE, 0, all, length, read);
        length += read;
      } while (read > 0 && length < atLeast);
      return length == all.length ? all : Arrays.copyOf(all, length);
    }
  }

  /** Nothing but the file's end is 0 bytes. */
  private static int readSome(String file, Descriptor opened, MemorySegment buffer)
      throws ErrnoException {
    long read;
    do {
      read = Syscall.READ.call(opened.number(), buffer.address(), buffer.byteSize());
    } while (read == -Errno.EINTR.number());
    return (int) Syscall.READ.check(file, read);
  }

  /** As openat(2): a descriptor, or an error below zero. */
  private static long open(byte[] name, MemorySegment scratch) {
    if (name.length < NAME) {
      MemorySegment.copy(name, 0, scratch, JAVA_BYTE, 0, name.length);
      scratch.set(JAVA_BYTE, name.length, (byte) 0);
      return open(scratch.address(), Descriptor.O_RDONLY);
    }
    try (Arena arena = Arena.ofConfined()) {
      return open(PathBytes.address(arena, name), Descriptor.O_RDONLY);
    }
  }

  private static long open(long name, int flags) {
    return Syscall.OPENAT.call(Descriptor.AT_FDCWD, name, flags | Descriptor.O_CLOEXEC);
  }

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
      MemorySegment buffer = arena.allocateFrom(JAVA_BYTE, bytes);
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
    long fd = open(PathBytes.address(arena, PathBytes.of(file)), Descriptor.O_WRONLY | O_TRUNC);
    return new Descriptor(Syscall.OPENAT.check(file.toString(), fd));
  }
}
