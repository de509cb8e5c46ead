package dev.rollcall.linux.files;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Locks a file exclusively by an open file description (fcntl(2), F_OFD_SETLK, Linux 3.15). Unlike
 * {@link java.nio.channels.FileLock}, which is the process's, it excludes other threads of this
 * process too, and the close of another descriptor of the file does not release it. It conflicts
 * with both kinds of locks of other processes.
 */
public final class OpenFileLock implements AutoCloseable {
  private static final int F_OFD_SETLK = 37;
  private static final short F_WRLCK = 1;

  /** On both machines: two shorts, four bytes of padding, two longs, the pid and padding. */
  private static final long FLOCK_SIZE = 32;

  private final Descriptor file;

  private OpenFileLock(Descriptor file) {
    this.file = file;
  }

  /**
   * Takes the lock if nobody has one, shared or exclusive; does not wait.
   *
   * @throws ErrnoException if there is no such file, or it cannot be opened for writing
   */
  public static Optional<OpenFileLock> tryExclusive(Path path) throws ErrnoException {
    Descriptor file = Descriptor.openForWriting(path);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment whole = arena.allocate(FLOCK_SIZE, JAVA_LONG.byteAlignment());
      whole.set(JAVA_SHORT, 0, F_WRLCK); // from SEEK_SET 0, length 0: the whole file
      long result = Syscall.FCNTL.call(file.number(), F_OFD_SETLK, whole.address());
      if (result == 0) {
        return Optional.of(new OpenFileLock(file));
      }
      file.close();
      if (result == -Errno.EAGAIN.number() || result == -Errno.EACCES.number()) {
        return Optional.empty();
      }
      throw new ErrnoException("fcntl", path.toString(), (int) -result);
    }
  }

  /** Releases it. */
  @Override
  public void close() {
    file.close();
  }
}
