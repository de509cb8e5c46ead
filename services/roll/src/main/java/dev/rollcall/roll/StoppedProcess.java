package dev.rollcall.roll;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Detects that this process did not run for a while (SIGSTOP, a paused machine). Then it does not
 * know which streams have ended meanwhile, and which members are gone, until it has heard of them.
 * Thread-safe.
 */
final class StoppedProcess {
  /** A busy process is later than a second; streams and members that are gone are noticed later. */
  static final long LEAST_NANOS = Duration.ofSeconds(10).toNanos();

  /** Longer than members take to notice a split. */
  static final long CATCH_UP_NANOS = Duration.ofSeconds(30).toNanos();

  private final LongSupplier nanoClock;
  private long last;
  private long until;

  StoppedProcess(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.last = nanoClock.getAsLong();
    this.until = last;
  }

  /** Whether it may have missed something. To be asked at least every second. */
  synchronized boolean isRecent() {
    long now = nanoClock.getAsLong();
    if (now - last >= LEAST_NANOS) {
      until = now + CATCH_UP_NANOS;
    }
    last = now;
    return now - until < 0;
  }
}
