package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeartbeatPaceTest {
  private static final Duration EVERY = Duration.ofSeconds(20);

  private long nanos = 7_000_000_000L;
  private final HeartbeatPace pace = new HeartbeatPace(EVERY, () -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void eachPingOfTheSameIntervalTakesOneAndTheTimerNone() {
    for (int ping = 0; ping < 3; ping++) {
      pass(Duration.ofSeconds(15));
      assertFalse(pace.takesTimer());
      pass(Duration.ofSeconds(7));
      assertFalse(pace.takesTimer(), "a ping may still come");
      assertTrue(pace.takesPing());
      assertFalse(pace.takesTimer());
    }
  }

  @Test
  void manyPingsTakeOneForHalfTheIntervalAtMost() {
    pass(Duration.ofSeconds(9));
    assertFalse(pace.takesPing());
    pass(Duration.ofSeconds(1));
    assertTrue(pace.takesPing());
    assertFalse(pace.takesPing());
  }

  @Test
  void theTimerTakesOneWhenAPingIsLate() {
    pass(Duration.ofSeconds(25));
    assertTrue(pace.takesTimer());
    pass(Duration.ofSeconds(24));
    assertFalse(pace.takesTimer());
    pass(Duration.ofSeconds(1));
    assertTrue(pace.takesTimer());
  }
}
