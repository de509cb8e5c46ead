package dev.rollcall.load.attack;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.ProcessCost;

/**
 * Describes the memory of a JVM of the distribution, in bytes.
 *
 * @param live objects in the heap after a collection of all of it
 * @param outside resident memory that is not the heap's: direct memory, stacks, code
 */
record Memory(long live, long outside) {
  private static final double MORE = 1.2;

  /**
   * Code that is compiled meanwhile, and memory that malloc(3) and Netty's pools keep: a gateway
   * with 162 MiB varied from 170 to 250 MiB after 26 attacks of hundreds of connections, without a
   * trend.
   */
  private static final long SLACK = 64L << 20;

  private static final long LIVE_SLACK = 2L << 20;

  /** Of a process that does not answer. */
  static final Memory UNKNOWN = new Memory(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Collects first; unknown if the process does not answer. */
  static Memory of(long pid) {
    try {
      ProcessCost.Held held = ProcessCost.held(pid);
      return new Memory(held.live(), held.outside());
    } catch (BenchFailedException e) {
      return UNKNOWN;
    }
  }

  /** Whether it is at most 1.2 times as much as before, beyond what a JVM varies by. */
  boolean isBackTo(Memory before) {
    return live <= before.live * MORE + LIVE_SLACK && outside <= before.outside * MORE + SLACK;
  }

  @Override
  public String toString() {
    return equals(UNKNOWN)
        ? "unknown memory"
        : "%.1f MiB live, %.1f MiB outside of the heap"
            .formatted(live / 1048576.0, outside / 1048576.0);
  }
}
