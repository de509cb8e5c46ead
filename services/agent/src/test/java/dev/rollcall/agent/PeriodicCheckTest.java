package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PeriodicCheckTest {
  private final LinkedBlockingQueue<Integer> looks = new LinkedBlockingQueue<>();

  private boolean looked() throws InterruptedException {
    return looks.poll(20, TimeUnit.SECONDS) != null;
  }

  @Test
  void looksAgainAfterALookThatFailedAndNeverTwiceAtOnce() throws InterruptedException {
    var running = new AtomicInteger();
    try (var _ =
        PeriodicCheck.every(
            Duration.ofMillis(1),
            "test",
            () -> {
              looks.add(running.incrementAndGet());
              running.decrementAndGet();
              throw new IllegalStateException("this one");
            })) {
      for (int i = 0; i < 3; i++) {
        assertEquals(1, looks.poll(20, TimeUnit.SECONDS));
      }
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

  @Test
  void looksSoonWhenItIsAsked() throws InterruptedException {
    try (var check = PeriodicCheck.every(Duration.ofHours(1), "test", () -> looks.add(1))) {
      check.soon();
      assertTrue(looked());
      check.soon();
      assertTrue(looked());
    }
  }
}
