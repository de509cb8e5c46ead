package dev.rollcall.wire.audit;

import java.util.LinkedHashMap;
import java.util.function.LongSupplier;

/**
 * Which of many refusals are written: whoever is refused again and again must not fill a disk, nor
 * drown what others are refused. Each has an allowance of lines that grows again, and all have one
 * together. Not thread-safe.
 */
final class Sparing {
  /** Lines at once, and a second afterwards. */
  record Allowance(int atOnce, double aSecond) {}

  static final Allowance OF_EACH = new Allowance(10, 0.2);
  static final Allowance OF_ALL = new Allowance(200, 5);

  private static final int MOST = 4_096;
  private static final double NANOS = 1e9;

  private record Level(double lines, long atNanos) {}

  private final LongSupplier nanoClock;
  private final LinkedHashMap<String, Level> each = new LinkedHashMap<>(16, 0.75f, true);
  private Level all;

  Sparing(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.all = new Level(OF_ALL.atOnce(), nanoClock.getAsLong());
  }

  /** Whether one more line about them may be written; it counts if so. */
  boolean allows(String whom) {
    long now = nanoClock.getAsLong();
    Level theirs = grown(each.getOrDefault(whom, new Level(OF_EACH.atOnce(), now)), OF_EACH, now);
    Level together = grown(all, OF_ALL, now);
    if (theirs.lines() < 1 || together.lines() < 1) {
      return false;
    }
    each.put(whom, new Level(theirs.lines() - 1, now));
    all = new Level(together.lines() - 1, now);
    if (each.size() > MOST) {
      each.pollFirstEntry();
    }
    return true;
  }

  private static Level grown(Level from, Allowance allowance, long now) {
    double more = (now - from.atNanos()) / NANOS * allowance.aSecond();
    return new Level(Math.min(allowance.atOnce(), from.lines() + more), now);
  }
}
