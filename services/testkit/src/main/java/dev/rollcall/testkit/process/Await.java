package dev.rollcall.testkit.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never longer than a deadline. */
public final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Await() {}

  /**
   * The same with 60 s: four times what the grid gives a silent member, its slowest matter, because
   * a busy machine is no failure.
   */
  public static void until(String what, BooleanSupplier condition) {
    until(what, DEADLINE, condition);
  }

  /**
   * Returns when the condition holds.
   *
   * @throws AssertionError naming what did not become true in time
   */
  public static void until(String what, Duration deadline, BooleanSupplier condition) {
    if (!Eventually.holds(deadline, condition)) {
      throw new AssertionError("not within " + deadline.toSeconds() + " s: " + what);
    }
  }
}
