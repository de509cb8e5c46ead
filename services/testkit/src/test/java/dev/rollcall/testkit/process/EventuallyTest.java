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
    assertEquals(Duration.ofMillis(5), Eventually.pauseAfter(Duration.ofNanos(800)));
    assertEquals(Duration.ofMillis(400), Eventually.pauseAfter(Duration.ofMillis(200)));
    assertEquals(Duration.ofSeconds(1), Eventually.pauseAfter(Duration.ofMinutes(1)));
  }
}
