package dev.rollcall.agent.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.wire.pace.SharedTimer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SweepVerticleTest {
  @Test
  void sweepsAgainAfterASweepThatFailedAndNeverTwoAtOnce() throws Exception {
    var sweeps = new CountDownLatch(3);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    Vertx vertx = Vertx.vertx();
    try {
      Supplier<StageHealth> sweep =
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            sweeps.countDown();
            throw new IllegalStateException("a leaf that cannot be removed");
          };
      vertx
          .deployVerticle(
              new SweepVerticle(
                  new Bus(vertx),
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

  @Test
  void whatASweepFindsIsPublished() throws IOException {
    var found = new StageHealth("jobs", true, false, "a leaf cannot be removed");
    try (var node = new TestNode()) {
      var heard = node.hear(Topics.HEALTH_CHANGED);
      node.deploy(
          new SweepVerticle(node.bus, () -> found, node.workers, node.beat, Duration.ofMillis(10)));
      assertEquals(found, heard.next());
    }
  }
}
