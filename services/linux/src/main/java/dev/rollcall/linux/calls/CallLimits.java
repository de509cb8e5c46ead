package dev.rollcall.linux.calls;

import dev.rollcall.model.ClusterPrefixes;
import java.time.Duration;
import java.util.List;

/**
 * The sizes of the kernel's maps, and the rates at which it reports calls.
 *
 * @param calls entries of the table; the least recently made go first. 200 bytes of kernel memory
 *     each
 * @param ringBytes of the ring buffer, a power of two and whole pages
 * @param common the rate of one user for all tracked ports without their own rate
 * @param quiet a user over the rate is announced again after so long without a call; below 2.1 s
 * @param arrivals between two that are told; below 2.1 s
 */
record CallLimits(int calls, int ringBytes, PushRate common, Duration quiet, Duration arrivals) {
  /** Of the common rate, in a second. */
  private static final int COMMON_PER_SECOND = 16;

  /**
   * 256 at once, which is what starts a job by a tree of ssh, or a wide pdsh; 16 a second on the
   * average for each user.
   */
  static final CallLimits DEFAULT =
      new CallLimits(
          65_536,
          1 << 18,
          PushRate.perSecond(COMMON_PER_SECOND),
          Duration.ofSeconds(2),
          Duration.ofMillis(250));

  /**
   * Announced calls that are remembered for each push in a second, 110 bytes of kernel memory each:
   * of twelve users who keep to the rate, for longer than any node keeps what it was told.
   */
  private static final int ANNOUNCED_FOR_A_RATE = 2048;

  /** Rates: the common one, and those of entries with their own. */
  static final int RATES = 1 + TrackedPorts.MOST_PER_SECOND;

  static final int BUCKETS = 4096;
  static final int TRUSTED = 64;
  static final int PORTS = TrackedPorts.MOST_PORTS;

  /** Cgroups with a watched port that they called, 90 bytes of kernel memory each. */
  static final int WATCHED = 8192;

  /** Of the interfaces of the node; the widest. */
  static final int ON_LINK = 2048;

  /** Those of before and those of now, while one is written after the other. */
  static final int PREFIXES = 4 * ClusterPrefixes.MOST;

  /** Announced calls that are remembered. */
  static int announced(List<TrackedPorts> ports) {
    return ANNOUNCED_FOR_A_RATE * (COMMON_PER_SECOND + TrackedPorts.ownRates(ports));
  }
}
