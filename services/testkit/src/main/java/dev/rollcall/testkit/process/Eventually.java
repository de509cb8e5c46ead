package dev.rollcall.testkit.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for a condition, never for a time. */
public final class Eventually {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private Eventually() {}

  /** Whether the condition held within the time. */
  public static boolean holds(Duration within, BooleanSupplier condition) {
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(PAUSE)
          .atMost(within)
          .until(condition::getAsBoolean);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
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
