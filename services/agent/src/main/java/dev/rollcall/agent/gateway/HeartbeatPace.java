package dev.rollcall.agent.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Decides at pings of the gateway, and at a timer, whether a heartbeat is due. */
final class HeartbeatPace {
  /** A ping that comes later than this part of the interval is not waited for. */
  private static final double LATE = 1.25;

  private final long everyNanos;
  private final LongSupplier clock;
  private long sentAt;

  /**
   * @param every the gateway's
   * @param clock in nanoseconds; the first heartbeat is due that long after now
   */
  HeartbeatPace(Duration every, LongSupplier clock) {
    this.everyNanos = every.toNanos();
    this.clock = clock;
    this.sentAt = clock.getAsLong();
  }

  /** Whether to send one with the answer to a ping: it may come early, and wakes nobody. */
  boolean takesPing() {
    return take(everyNanos / 2);
  }

  /** Whether to send one at the timer, because no ping came in time. */
  boolean takesTimer() {
    return take((long) (everyNanos * LATE));
  }

  private boolean take(long after) {
    long now = clock.getAsLong();
    boolean due = now - sentAt >= after;
    if (due) {
      sentAt = now;
    }
    return due;
  }
}
