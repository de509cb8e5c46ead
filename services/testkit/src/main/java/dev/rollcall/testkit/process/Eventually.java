package dev.rollcall.testkit.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for a condition, never for a time. */
public final class Eventually {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /**
   * A condition that starts programs, such as a login, would take a processor from the programs
   * that it waits for.
   */
  private static final int PAUSES_PER_CHECK = 2;

  private Eventually() {}

  /** Whether the condition held within the time. */
  public static boolean holds(Duration within, BooleanSupplier condition) {
    var check = new TimedCheck(condition);
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval((_, _) -> pauseAfter(check.took))
          .atMost(within)
          .until(check::holds);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /** How long to pause after a check that took so long. */
  static Duration pauseAfter(Duration check) {
    Duration pause = check.multipliedBy(PAUSES_PER_CHECK);
    if (pause.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
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

  /** A condition, and how long its last check took. */
  private static final class TimedCheck {
    private final BooleanSupplier condition;
    private Duration took = Duration.ZERO;

    TimedCheck(BooleanSupplier condition) {
      this.condition = condition;
    }

    boolean holds() {
      long began = System.nanoTime();
      boolean held = condition.getAsBoolean();
      took = Duration.ofNanos(System.nanoTime() - began);
      return held;
    }
  }
}
