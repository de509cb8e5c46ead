package dev.rollcall.linux.calls;

import dev.rollcall.linux.KernelTime;
import java.time.Instant;
import java.time.InstantSource;

/** Turns the kernel's monotonic time into the time of day, by what both show now. */
final class KernelClock {
  private final InstantSource wall;

  KernelClock(InstantSource wall) {
    this.wall = wall;
  }

  /**
   * @param monotonic ns, as bpf_ktime_get_ns gives it
   */
  Instant instant(long monotonic) {
    return wall.instant().minusNanos(KernelTime.MONOTONIC.now() - monotonic);
  }
}
