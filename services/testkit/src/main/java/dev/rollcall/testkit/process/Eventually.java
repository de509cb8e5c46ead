package dev.rollcall.testkit.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, never for a time. */
public final class Eventually {
  private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

  private Eventually() {}

  /** Whether the condition held within the time. */
  public static boolean holds(Duration within, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > within.toNanos() || Thread.currentThread().isInterrupted()) {
        return condition.getAsBoolean();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  /**
   * Waits until the condition holds.
   *
   * @param what is awaited, and how things stand, for the failure
   */
  public static void await(Duration within, BooleanSupplier condition, Supplier<String> what) {
    if (!holds(within, condition)) {
      throw new RigException("not within " + within.toMillis() + " ms: " + what.get());
    }
  }
}
