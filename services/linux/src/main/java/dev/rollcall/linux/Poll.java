package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Checks without waiting whether a descriptor is ready: ppoll(2). */
public final class Poll {
  public static final int IN = 0x1;
  public static final int HUP = 0x10;
  public static final int RDHUP = 0x2000;

  private Poll() {}

  /** The events of {@code wanted}, and HUP, that hold now. */
  public static int now(int descriptor, int wanted) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pollfd = arena.allocate(8, 4); // int fd, short events, short revents
      MemorySegment noTime = arena.allocate(16, 8);
      pollfd.set(JAVA_INT, 0, descriptor);
      pollfd.set(JAVA_SHORT, 4, (short) wanted);
      long ready = Syscall.PPOLL.call(pollfd.address(), 1, noTime.address());
      Syscall.PPOLL.check("fd " + descriptor, ready);
      return ready == 0 ? 0 : pollfd.get(JAVA_SHORT, 6) & 0xffff;
    }
  }
}
