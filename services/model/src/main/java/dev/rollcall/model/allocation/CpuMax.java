package dev.rollcall.model.allocation;

/**
 * So much CPU time in each period: {@code cpu.max} of v2, {@code cpu.cfs_quota_us} and {@code
 * cpu.cfs_period_us} of v1. Both in microseconds; the kernel wants a quota of at least 1,000 and a
 * period of 1,000 to 1,000,000 (Linux, Documentation/scheduler/sched-bwc).
 */
public record CpuMax(long quotaMicros, long periodMicros) {
  private static final long LEAST = 1_000;
  private static final long LONGEST_PERIOD = 1_000_000;

  public CpuMax {
    if (quotaMicros < LEAST) {
      throw new IllegalArgumentException("cpu quota " + quotaMicros + " is below 1000 us");
    }
    if (periodMicros < LEAST || periodMicros > LONGEST_PERIOD) {
      throw new IllegalArgumentException(
          "cpu period " + periodMicros + " is not within 1000 to 1000000 us");
    }
  }
}
