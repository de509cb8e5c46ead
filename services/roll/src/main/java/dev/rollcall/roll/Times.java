package dev.rollcall.roll;

import java.time.Instant;

/** Instants as the grid holds them: nanoseconds since 1970, which last until 2262. */
final class Times {
  private static final long SECOND = 1_000_000_000L;

  private Times() {}

  static long nanos(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano());
  }

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
  }
}
