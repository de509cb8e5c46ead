package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Reports writes to files, inotify(7). Any thread may watch; one reads. */
public final class Inotify implements AutoCloseable {
  /** What each user may have, and each user namespace's maker within it (inotify(7)). */
  static final String BOUND = "fs.inotify.max_user_instances";

  private static final int IN_NONBLOCK = 0x800;
  private static final int IN_CLOEXEC = 0x80000;
  private static final int IN_MODIFY = 0x2;
  private static final int HEADER = 16; // int wd, u32 mask, u32 cookie, u32 length of the name
  private static final int BUFFER = 4_096;

  private final Descriptor descriptor;

  private Inotify(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  public static Inotify open() throws ErrnoException {
    long fd = Syscall.INOTIFY_INIT1.call(IN_NONBLOCK | IN_CLOEXEC);
    return new Inotify(new Descriptor(Syscall.INOTIFY_INIT1.check("within " + BOUND, fd)));
  }

  /** Readable when there is something to {@link #read}. */
  public int descriptor() {
    return descriptor.number();
  }

  /**
   * Watches a file.
   *
   * @return the number of the watch; empty if there is no such file
   * @throws ErrnoException ENOSPC beyond fs.inotify.max_user_watches
   */
  public Optional<Integer> watch(Path file) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(file.toString()).address();
      long watch = Syscall.INOTIFY_ADD_WATCH.call(descriptor.number(), name, IN_MODIFY);
      if (watch == -Errno.ENOENT.number()) {
        return Optional.empty();
      }
      return Optional.of((int) Syscall.INOTIFY_ADD_WATCH.check(file.toString(), watch));
    }
  }

  /** Ends a watch. The kernel keeps that of a removed cgroup's file until then. */
  public void unwatch(int watch) {
    Syscall.INOTIFY_RM_WATCH.call(descriptor.number(), watch, 0);
  }

  /** The watches whose files were written to since the last time. Does not wait. */
  public Set<Integer> read() throws ErrnoException {
    Set<Integer> watches = new LinkedHashSet<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER, 8);
      while (true) {
        long length = Syscall.READ.call(descriptor.number(), buffer.address(), BUFFER);
        if (length == -Errno.EAGAIN.number() || length == -Errno.EINTR.number()) {
          return watches;
        }
        Syscall.READ.check("inotify", length);
        for (long at = 0; at + HEADER <= length; at += HEADER + buffer.get(JAVA_INT, at + 12)) {
          watches.add(buffer.get(JAVA_INT, at));
        }
      }
    }
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
