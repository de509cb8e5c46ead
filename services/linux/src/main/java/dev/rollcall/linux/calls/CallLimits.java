package dev.rollcall.linux.calls;

import java.time.Duration;

/**
 * How much the kernel side keeps and tells.
 *
 * @param calls entries of the table; the least recently made go first. 200 bytes of kernel memory
 *     each
 * @param ringBytes of the ring buffer, a power of two and whole pages
 * @param burst announcements of one user at once
 * @param interval after which a user may have one more
 */
record CallLimits(int calls, int ringBytes, int burst, Duration interval) {
  /** 256 at once and then 64 a second for each user. */
  static final CallLimits DEFAULT =
      new CallLimits(65_536, 1 << 18, 256, Duration.ofSeconds(1).dividedBy(64));

  static final int BUCKETS = 4096;
  static final int TRUSTED = 64;
  static final int PORTS = 1024;
  static final int PREFIXES = 4096;
}
