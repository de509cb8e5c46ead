package dev.rollcall.testkit.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {
  @Test
  void aConditionIsCheckedUntilItHolds() {
    var checks = new AtomicInteger();
    assertTrue(Eventually.holds(Duration.ofSeconds(60), () -> checks.incrementAndGet() == 3));
    assertEquals(3, checks.get());
  }

  @Test
  void whatNeverHoldsIsNamed() {
    assertFalse(Eventually.holds(Duration.ofMillis(20), () -> false));
    var failure =
        assertThrows(
            RigException.class,
            () -> Eventually.await(Duration.ofMillis(20), () -> false, () -> "a rabbit"));
    assertEquals("not within 20 ms: a rabbit", failure.getMessage());
  }

  @Test
  void thePauseIsTwiceAsLongAsTheCheckWithinLimits() {
    assertEquals(Duration.ofMillis(5), pause(Duration.ofNanos(800), Duration.ZERO));
    assertEquals(Duration.ofMillis(400), pause(Duration.ofMillis(200), Duration.ofSeconds(2)));
    assertEquals(Duration.ofSeconds(1), pause(Duration.ofMinutes(1), Duration.ofMinutes(1)));
  }

  @Test
  void thePauseGrowsWithTheWait() {
    assertEquals(Duration.ofMillis(5), pause(Duration.ofMillis(1), Duration.ofMillis(40)));
    assertEquals(Duration.ofMillis(300), pause(Duration.ofMillis(1), Duration.ofSeconds(3)));
    assertEquals(Duration.ofSeconds(1), pause(Duration.ofMillis(1), Duration.ofMinutes(1)));
  }

  /** With the shortest pause alone it would be checked sixty times. */
  @Test
  void whatTakesLongIsCheckedLessAndLessOften() {
    var checks = new AtomicInteger();
    assertFalse(
        Eventually.holds(
            Duration.ofMillis(300),
            () -> {
              checks.incrementAndGet();
              return false;
            }));
    assertTrue(checks.get() < 45, () -> checks + " checks");
  }

  private static Duration pause(Duration check, Duration waited) {
    return Eventually.pauseAfter(check, waited);
  }
}
