package dev.rollcall.wire.pace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SharedTimerTest {
  private static final Duration BEAT = Duration.ofMillis(20);
  private static final Duration NEVER = Duration.ofHours(1);

  private final Vertx vertx = Vertx.vertx();
  private final List<String> done = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void whatIsRarerGoesWithTheBeatThatIsNotLater() throws Exception {
    var beat = new SharedTimer(vertx, BEAT);
    var sixth = new CountDownLatch(6);
    inOneTurn(() -> {
      beat.repeat(
          BEAT,
          () -> {
            done.add("each");
            sixth.countDown();
          });
      beat.repeat(BEAT.multipliedBy(3).plusMillis(19), () -> done.add("third"));
    });
    assertTrue(sixth.await(10, TimeUnit.SECONDS));
    assertEquals(
        List.of("each", "each", "each", "third", "each", "each", "each"),
        List.copyOf(done).subList(0, 7));
  }

  @Test
  void whatIsMoreFrequentDoesNotWait() throws Exception {
    var beat = new SharedTimer(vertx, NEVER);
    var twice = new CountDownLatch(2);
    Runnable stop = beat.repeat(BEAT, twice::countDown);
    assertTrue(twice.await(10, TimeUnit.SECONDS));
    stop.run();
  }

  @Test
  void whatIsEndedIsNotDoneAnyMore() throws Exception {
    var beat = new SharedTimer(vertx, BEAT);
    var third = new CountDownLatch(3);
    inOneTurn(() -> {
      Runnable stop = beat.repeat(BEAT, () -> done.add("ended"));
      beat.repeat(
          BEAT,
          () -> {
            stop.run();
            third.countDown();
          });
    });
    assertTrue(third.await(10, TimeUnit.SECONDS));
    assertEquals(List.of("ended"), done);
  }

  @Test
  void aTaskThatFailsDoesNotStopTheOthers() throws Exception {
    var beat = new SharedTimer(vertx, BEAT);
    var twice = new CountDownLatch(2);
    beat.repeat(
        BEAT,
        () -> {
          throw new IllegalStateException("as the test wants it");
        });
    beat.repeat(BEAT, twice::countDown);
    assertTrue(twice.await(10, TimeUnit.SECONDS));
  }

  @Test
  void aTaskRunsWhereItWasAskedFor() throws Exception {
    var beat = new SharedTimer(vertx, BEAT);
    var asked = new CompletableFuture<Context>();
    var ran = new CompletableFuture<Context>();
    vertx.runOnContext(_ -> {
      asked.complete(vertx.getOrCreateContext());
      beat.repeat(BEAT, () -> ran.complete(vertx.getOrCreateContext()));
    });
    assertSame(asked.get(10, TimeUnit.SECONDS), ran.get(10, TimeUnit.SECONDS));
  }

  /** No beat comes between what is done in it, as with an agent's one event loop. */
  private void inOneTurn(Runnable task) throws Exception {
    var over = new CompletableFuture<Void>();
    vertx.runOnContext(_ -> {
      task.run();
      over.complete(null);
    });
    over.get(10, TimeUnit.SECONDS);
  }
}
