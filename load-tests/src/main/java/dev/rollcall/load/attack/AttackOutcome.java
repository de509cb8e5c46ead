package dev.rollcall.load.attack;

import java.util.Locale;
import java.util.Optional;

/**
 * The effect of an attack on its target.
 *
 * @param delayMillis the longest delay of the honest client
 * @param before the memory before it
 * @param during the memory before its connections were closed
 * @param after the memory when it was back, or at the end of the time for that
 * @param success the attack's; empty if the target held
 */
record AttackOutcome(
    long delayMillis, Memory before, Memory during, Memory after, Optional<Success> success) {
  /** The ways in which an attack succeeds. */
  enum Kind {
    /** The process ended. */
    END,
    /** Memory was not back in time, which can be the sum of several attacks. */
    MEMORY,
    /** An honest client waited: perhaps for other processes of the machine. */
    DELAY
  }

  record Success(Kind kind, String text) {}

  private static final double DELAY_WEIGHT = 1.0 / 200;
  private static final double AFTER_WEIGHT = 3;

  boolean hasSucceeded(Kind kind) {
    return success.filter(how -> how.kind() == kind).isPresent();
  }

  /** The larger, the worse for the target. */
  double score() {
    return delayMillis * DELAY_WEIGHT
        + grown(during.live(), before.live())
        + grown(during.outside(), before.outside())
        + AFTER_WEIGHT * grown(after.live(), before.live());
  }

  private static double grown(long now, long before) {
    return now == Long.MAX_VALUE ? 0 : Math.max(0, (double) now / Math.max(1, before) - 1);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "score %.2f, honest client %d ms; %s before, %s during, %s after%s",
        score(),
        delayMillis,
        before,
        during,
        after,
        success.map(how -> "; FAILED: " + how.text()).orElse(""));
  }
}
