package dev.rollcall.wire.alive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AnswerWatchTest {
  private final List<String> ends = new ArrayList<>();
  private final List<Runnable> questions = new ArrayList<>();
  private WatchedPart.State state = WatchedPart.State.WORKS;

  private AnswerWatch watch(List<WatchedPart> asked) {
    return new AnswerWatch(asked, AnswerWatch.ONLY_WHEN_TOLD, ends::add);
  }

  private WatchedPart part() {
    return new WatchedPart("part", () -> state, questions::add, 30, () -> new StackTraceElement[0]);
  }

  private static void tick(AnswerWatch watch, int times) {
    for (int i = 0; i < times; i++) {
      watch.tick();
    }
  }

  @Test
  void aPartThatDoesNotAnswerIsNamedAfterTenTicksAndEndsTheProcessAfterThirty() {
    AnswerWatch watch = watch(List.of(part()));
    watch.look();
    tick(watch, 9);
    assertEquals(Optional.empty(), watch.objection());
    tick(watch, 1);
    assertEquals(Optional.of("part has not answered for 10 s"), watch.objection());
    watch.look();
    assertEquals(1, questions.size());
    tick(watch, 19);
    assertEquals(List.of(), ends);
    tick(watch, 1);
    assertEquals(List.of("part has not answered for 30 s"), ends);
  }

  @Test
  void aPartThatAnswersIsAskedAgain() {
    AnswerWatch watch = watch(List.of(part()));
    for (int i = 1; i <= 3; i++) {
      watch.look();
      assertEquals(i, questions.size());
      tick(watch, 29);
      questions.getLast().run();
      assertEquals(Optional.empty(), watch.objection());
    }
    tick(watch, 100);
    assertEquals(List.of(), ends);
  }

  @Test
  void aPartThatWaitsForWorkOrLookedItselfIsNotAsked() {
    AnswerWatch watch = watch(List.of(part()));
    state = WatchedPart.State.WAITS;
    watch.look();
    state = WatchedPart.State.ASKS;
    watch.look();
    state = WatchedPart.State.WORKS;
    watch.look(); // it has looked since
    assertEquals(List.of(), questions);
    watch.look();
    assertEquals(1, questions.size());
  }

  @Test
  void anEventLoopAtRestIsNotWokenAndABlockedOneIsNamedWithWhatItDoes() throws Exception {
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try {
      List<WatchedPart> loops = WatchedPart.loopsOf(vertx, "users");
      for (WatchedPart loop : loops) {
        while (loop.state().get() != WatchedPart.State.WAITS) {
          Thread.onSpinWait(); // until the @Timeout
        }
      }
      AnswerWatch watch = watch(loops);
      var blocked = new CountDownLatch(1);
      var over = new CountDownLatch(1);
      vertx.runOnContext(_ -> {
        blocked.countDown();
        block(over);
      });
      assertTrue(blocked.await(30, TimeUnit.SECONDS));
      watch.look();
      tick(watch, 30);
      assertEquals(1, ends.size());
      assertTrue(ends.getFirst().startsWith("event loop users-"), ends.getFirst());
      assertTrue(ends.getFirst().contains("AnswerWatchTest.block"), ends.getFirst());
      over.countDown();
      while (watch.objection().isPresent()) {
        Thread.onSpinWait(); // until it has answered
      }
    } finally {
      vertx.close().await(30, TimeUnit.SECONDS);
    }
  }

  private static void block(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
