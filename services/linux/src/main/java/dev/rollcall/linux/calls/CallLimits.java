package dev.rollcall.linux.calls;

import java.time.Duration;

/**
 * The sizes of the kernel's maps, and the rates at which it reports calls.
 *
 * @param calls entries of the table; the least recently made go first. 200 bytes of kernel memory
 *     each
 * @param ringBytes of the ring buffer, a power of two and whole pages
 * @param burst announcements of one user at once
 * @param interval after which a user may have one more
 * @param quiet a user over the rate is announced again after so long without a call; below 2.1 s
 * @param arrivals between two that are told; below 2.1 s
 */
record CallLimits(
    int calls, int ringBytes, int burst, Duration interval, Duration quiet, Duration arrivals) {
  /**
   * 256 at once, which is what starts a job by a tree of ssh, or a wide pdsh; 16 a second on the
   * average for each user.
   */
  static final CallLimits DEFAULT =
      new CallLimits(
          65_536,
          1 << 18,
          256,
          Duration.ofSeconds(1).dividedBy(16),
          Duration.ofSeconds(2),
          Duration.ofMillis(250));

  /**
   * Announced calls that are remembered, 110 bytes of kernel memory each: twelve users who keep to
   * the rate, for longer than any node keeps what it was told.
   */
  static final int ANNOUNCED = 32_768;

  static final int BUCKETS = 4096;
  static final int TRUSTED = 64;
  static final int PORTS = 1024;
  static final int PREFIXES = 4096;
}
