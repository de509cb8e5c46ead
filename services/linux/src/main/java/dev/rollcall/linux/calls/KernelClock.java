package dev.rollcall.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.InstantSource;

/** Turns the kernel's monotonic time into the time of day, by what both show now. */
final class KernelClock {
  private static final int CLOCK_MONOTONIC = 1;
  private static final long NANOS = 1_000_000_000;

  private final InstantSource wall;

  KernelClock(InstantSource wall) {
    this.wall = wall;
  }

  /**
   * @param monotonic ns, as bpf_ktime_get_ns gives it
   */
  Instant instant(long monotonic) {
    return wall.instant().minusNanos(now() - monotonic);
  }

  static long now() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(JAVA_LONG, 2); // struct timespec
      Syscall.CLOCK_GETTIME.call(CLOCK_MONOTONIC, time.address(), 0);
      return time.getAtIndex(JAVA_LONG, 0) * NANOS + time.getAtIndex(JAVA_LONG, 1);
    }
  }
}
