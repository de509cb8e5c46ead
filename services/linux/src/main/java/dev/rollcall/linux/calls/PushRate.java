package dev.rollcall.linux.calls;

import java.time.Duration;

/**
 * The rate at which callers of one user are pushed, as a bucket that holds a burst.
 *
 * @param burst callers at once
 * @param interval after which a user may have one more
 */
record PushRate(int burst, Duration interval) {
  private static final int SECONDS_AT_ONCE = 16;

  /** A burst is as much as 16 seconds bring. */
  static PushRate perSecond(int number) {
    return new PushRate(SECONDS_AT_ONCE * number, Duration.ofSeconds(1).dividedBy(number));
  }

  /** How far ahead of now a bucket may be full again, in ns, for one more caller. */
  long spanNanos() {
    return interval.toNanos() * (burst - 1);
  }
}
