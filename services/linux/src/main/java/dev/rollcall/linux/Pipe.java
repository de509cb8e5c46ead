package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A pipe, pipe(7), to read what other processes write. Unlike with the stream of a {@link Process},
 * no thread has to wait in the kernel until the last of them ends.
 */
public final class Pipe implements AutoCloseable {
  private static final int O_CLOEXEC = 0x80000;
  private static final int BUFFER = 8_192;

  private final Descriptor reading;
  private final Descriptor writing;

  private Pipe(Descriptor reading, Descriptor writing) {
    this.reading = reading;
    this.writing = writing;
  }

  public static Pipe open() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment both = arena.allocate(JAVA_INT, 2);
      Syscall.PIPE2.check("", Syscall.PIPE2.call(both.address(), O_CLOEXEC, 0));
      return new Pipe(
          new Descriptor(both.getAtIndex(JAVA_INT, 0)),
          new Descriptor(both.getAtIndex(JAVA_INT, 1)));
    }
  }

  /** The name by which this process opens the end to write to, for a process that it starts. */
  public Path toWriteTo() {
    return writing.own();
  }

  /** From now on only others write. */
  public void closeWriting() {
    writing.close();
  }

  /** Whether {@link #read} returns at once. */
  public boolean isReadable() throws ErrnoException {
    return Poll.now(reading.number(), Poll.IN) != 0;
  }

  /**
   * Waits for some bytes.
   *
   * @return none when nobody can write any more
   */
  public byte[] read() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER);
      long length = Syscall.READ.call(reading.number(), buffer.address(), BUFFER);
      while (length == -Errno.EINTR.number()) {
        length = Syscall.READ.call(reading.number(), buffer.address(), BUFFER);
      }
      return buffer.asSlice(0, Syscall.READ.check("a pipe", length)).toArray(JAVA_BYTE);
    }
  }

  @Override
  public void close() {
    reading.close();
    writing.close();
  }
}
