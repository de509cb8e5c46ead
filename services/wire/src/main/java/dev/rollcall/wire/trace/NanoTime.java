package dev.rollcall.wire.trace;

import java.time.Clock;
import java.time.Instant;

/**
 * Nanoseconds since 1970, by the wall clock of when it was made and as monotonic from there on: a
 * clock that is stepped meanwhile leaves the spans of one trace as long as they were.
 */
final class NanoTime {
  private static final long NANOS = 1_000_000_000;

  private final long offset;

  NanoTime() {
    offset = of(Clock.systemUTC().instant()) - System.nanoTime();
  }

  static long of(Instant time) {
    return time.getEpochSecond() * NANOS + time.getNano();
  }

  long now() {
    return System.nanoTime() + offset;
  }
}
