package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PeriodicCheckTest {
  private final LinkedBlockingQueue<Integer> looks = new LinkedBlockingQueue<>();

  private boolean looked() throws InterruptedException {
    return looks.poll(20, TimeUnit.SECONDS) != null;
  }

  @Test
  void looksAgainAfterALookThatFailed() throws InterruptedException {
    try (var _ =
        PeriodicCheck.every(
            Duration.ofMillis(1),
            "test",
            () -> {
              looks.add(1);
              throw new IllegalStateException("this one");
            })) {
      assertTrue(looked());
      assertTrue(looked());
    }
  }

  @Test
  void looksNoMoreOnceItIsClosed() throws InterruptedException {
    try (var _ = PeriodicCheck.every(Duration.ofMillis(1), "test", () -> looks.add(1))) {
      assertTrue(looked());
    }
    Thread.sleep(20); // one that was under way
    looks.clear();
    assertNull(looks.poll(100, TimeUnit.MILLISECONDS));
  }
}
