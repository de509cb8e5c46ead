package dev.rollcall.linux;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** An open file descriptor that closes once. All are close-on-exec. */
public final class Descriptor implements AutoCloseable {
  public static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  private static final int O_NOCTTY = 0x100;
  private static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;

  /** Names are relative to the working directory. */
  public static final int AT_FDCWD = -100;

  private final int number;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes the descriptor over. */
  public Descriptor(long number) {
    if (number < 0) {
      throw new IllegalArgumentException("descriptor " + number + " is negative");
    }
    this.number = (int) number;
  }

  /** Opens for reading; a directory too. */
  public static Descriptor open(Path path) throws ErrnoException {
    return open(path, O_RDONLY);
  }

  /** Opens a terminal for writing: never waits, and never makes it this process's own. */
  public static Descriptor openTerminal(Path path) throws ErrnoException {
    return open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK);
  }

  /** Opens a file for writing; what is in it stays. */
  public static Descriptor openForWriting(Path path) throws ErrnoException {
    return open(path, O_WRONLY);
  }

  /** The name by which this process, and nobody else, can open what this is about again. */
  public Path own() {
    return Path.of("/proc/self/fd", Integer.toString(number));
  }

  /**
   * Opens as open(2) does.
   *
   * @param flags besides O_CLOEXEC, which is always set
   */
  public static Descriptor open(Path path, int flags) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(path.toString()).address();
      long fd = Syscall.OPENAT.call(AT_FDCWD, name, flags | O_CLOEXEC);
      return new Descriptor(Syscall.OPENAT.check(path.toString(), fd));
    }
  }

  public int number() {
    return number;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      // close(2) releases the descriptor whatever it returns.
      Syscall.CLOSE.call(number);
    }
  }

  @Override
  public String toString() {
    return "fd " + number;
  }
}
