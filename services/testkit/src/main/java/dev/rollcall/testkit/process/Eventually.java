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

  /**
   * A pause is a tenth of the wait so far. So a wait becomes longer by a tenth at most, and checks
   * a few dozen times.
   */
  private static final int PAUSES_PER_WAIT = 10;

  private Eventually() {}

  /** Whether the condition held within the time. */
  public static boolean holds(Duration within, BooleanSupplier condition) {
    var check = new TimedCheck(condition);
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval((_, _) -> pauseAfter(check.took, check.waited()))
          .atMost(within)
          .until(check::holds);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /**
   * How long to pause after a check.
   *
   * @param check how long it took
   * @param waited how long the wait lasts so far
   */
  static Duration pauseAfter(Duration check, Duration waited) {
    Duration pause =
        longer(check.multipliedBy(PAUSES_PER_CHECK), waited.dividedBy(PAUSES_PER_WAIT));
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer(pause, SHORTEST_PAUSE);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
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

  /** A condition, how long its last check took, and how long ago the wait began. */
  private static final class TimedCheck {
    private final BooleanSupplier condition;
    private final long beganNanos = System.nanoTime();
    private Duration took = Duration.ZERO;

    TimedCheck(BooleanSupplier condition) {
      this.condition = condition;
    }

    Duration waited() {
      return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    boolean holds() {
      long began = System.nanoTime();
      boolean held = condition.getAsBoolean();
      took = Duration.ofNanos(System.nanoTime() - began);
      return held;
    }
  }
}
