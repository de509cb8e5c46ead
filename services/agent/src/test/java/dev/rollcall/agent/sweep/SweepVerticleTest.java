package dev.rollcall.agent.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.pace.SharedTimer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SweepVerticleTest {
  @Test
  void sweepsAgainAfterASweepThatFailedAndNeverTwoAtOnce() throws Exception {
    var sweeps = new CountDownLatch(3);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    Vertx vertx = Vertx.vertx();
    try {
      Runnable sweep =
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            sweeps.countDown();
            throw new IllegalStateException("a leaf that cannot be removed");
          };
      vertx
          .deployVerticle(
              new SweepVerticle(
                  sweep,
                  vertx.createSharedWorkerExecutor("sweeps", 4),
                  new SharedTimer(vertx, Duration.ofMillis(1)),
                  Duration.ofMillis(1)))
          .toCompletionStage()
          .toCompletableFuture()
          .get(10, TimeUnit.SECONDS);
      assertTrue(
          sweeps.await(10, TimeUnit.SECONDS), () -> sweeps.getCount() + " sweeps are missing");
      assertEquals(1, most.get());
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }
}
