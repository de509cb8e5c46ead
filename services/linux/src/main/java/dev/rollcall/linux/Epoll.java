package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Waits for descriptors to become readable, epoll(7). One thread waits; any may add and wake. */
public final class Epoll implements AutoCloseable {
  private static final int O_CLOEXEC = 0x80000;
  private static final int EPOLL_CTL_ADD = 1;
  private static final int EPOLLIN = 1;
  private static final int SIGSET_SIZE = 8;
  private static final int DATA = Syscall.packedEpollEvent() ? 4 : 8;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment event = arena.allocate(16, 8); // u32 events, u64 data
  private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
  private final Descriptor epoll;
  private final Descriptor wake;

  private Epoll(Descriptor epoll, Descriptor wake) {
    this.epoll = epoll;
    this.wake = wake;
  }

  public static Epoll open() throws ErrnoException {
    Descriptor epoll =
        new Descriptor(Syscall.EPOLL_CREATE1.check("", Syscall.EPOLL_CREATE1.call(O_CLOEXEC)));
    Descriptor wake =
        new Descriptor(Syscall.EVENTFD2.check("", Syscall.EVENTFD2.call(0, O_CLOEXEC, 0)));
    Epoll opened = new Epoll(epoll, wake);
    opened.add(wake.number());
    return opened;
  }

  /** Until the descriptor is closed. */
  public void add(int descriptor) throws ErrnoException {
    try (Arena own = Arena.ofConfined()) {
      MemorySegment wanted = own.allocate(16, 8);
      wanted.set(JAVA_INT, 0, EPOLLIN);
      wanted.set(JAVA_LONG.withByteAlignment(4), DATA, descriptor);
      long result =
          Syscall.EPOLL_CTL.call(epoll.number(), EPOLL_CTL_ADD, descriptor, wanted.address(), 0, 0);
      Syscall.EPOLL_CTL.check("fd " + descriptor, result);
    }
  }

  /**
   * Waits for one descriptor.
   *
   * @param most without one, until something happens
   * @return the descriptor that is readable; empty when the time is over or {@link #wake} was
   *     called
   */
  public OptionalInt await(Optional<Duration> most) throws ErrnoException {
    int milliseconds =
        most.map(time -> (int) Math.min(time.toMillis(), Integer.MAX_VALUE)).orElse(-1);
    long ready =
        Syscall.EPOLL_PWAIT.call(epoll.number(), event.address(), 1, milliseconds, 0, SIGSET_SIZE);
    if (ready == -Errno.EINTR.number()) {
      return OptionalInt.empty();
    }
    if (Syscall.EPOLL_PWAIT.check("fd " + epoll.number(), ready) == 0) {
      return OptionalInt.empty();
    }
    int descriptor = (int) event.get(JAVA_LONG.withByteAlignment(4), DATA);
    return descriptor == wake.number() ? OptionalInt.empty() : OptionalInt.of(descriptor);
  }

  /** Ends this and every later waiting. */
  public void wake() {
    Syscall.WRITE.call(wake.number(), one.address(), Long.BYTES);
  }

  @Override
  public void close() {
    epoll.close();
    wake.close();
    arena.close();
  }
}
