package dev.rollcall.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The time since the node booted, sleep included: clock_gettime(2), CLOCK_BOOTTIME. */
public final class BootTime {
  private static final int CLOCK_BOOTTIME = 7;
  private static final long NANOS = 1_000_000_000;

  private BootTime() {}

  /** In ns. */
  public static long now() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(JAVA_LONG, 2); // struct timespec
      Syscall.CLOCK_GETTIME.call(CLOCK_BOOTTIME, time.address(), 0);
      return time.getAtIndex(JAVA_LONG, 0) * NANOS + time.getAtIndex(JAVA_LONG, 1);
    }
  }
}
