package dev.rollcall.load.attack;

import java.util.Locale;
import java.util.Optional;

/**
 * The effect of an attack on its target.
 *
 * @param ended whether the process ended
 * @param delayMillis the longest delay of the honest client
 * @param before the memory before it
 * @param during the memory before its connections were closed
 * @param after the memory when it was back, or at the end of the time for that
 * @param failure why the attack succeeded; empty if the target held
 */
record AttackOutcome(
    boolean ended,
    long delayMillis,
    Memory before,
    Memory during,
    Memory after,
    Optional<String> failure) {
  private static final double DELAY_WEIGHT = 1.0 / 200;
  private static final double AFTER_WEIGHT = 3;

  /** The more, the worse for the target. */
  double score() {
    return failure.isPresent()
        ? Double.MAX_VALUE
        : delayMillis * DELAY_WEIGHT
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
        Math.min(score(), 1e6),
        delayMillis,
        before,
        during,
        after,
        failure.map(why -> "; FAILED: " + why).orElse(""));
  }
}
