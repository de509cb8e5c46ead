package dev.rollcall.testkit.roll;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never longer than a deadline. */
public final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private Await() {}

  /**
   * Returns when the condition holds; looks every 5 ms.
   *
   * @throws AssertionError naming what did not become true in 20 s
   */
  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
