package dev.rollcall.agent.event;

import static dev.rollcall.agent.TestNode.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage on an event loop of another Vert.x than the others'. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CrossLoopTasksTest {
  private static final int MANY = 1_000;
  private static final Query<Integer, Integer> TWICE = new Query<>("test.twice");

  private final Vertx logins = VertxSettings.start(VertxSettings.quiet());
  private final Vertx front = VertxSettings.start(VertxSettings.quiet());
  private final Bus bus = new Bus(logins);
  private final List<Integer> asked = new ArrayList<>(); // on the event loop of the logins

  @BeforeEach
  void answer() {
    await(
        logins.deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                bus.answer(
                    TWICE,
                    number -> {
                      asked.add(number);
                      return Future.succeededFuture(2 * number);
                    });
                return Future.succeededFuture();
              }
            }));
  }

  @AfterEach
  void close() {
    await(front.close());
    await(logins.close());
  }

  private Future<Integer> ask(int number) {
    return bus.ask(TWICE, number, Duration.ofSeconds(30));
  }

  private <T> T onFront(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    front.runOnContext(_ -> work.get().onComplete(done));
    return await(done.future());
  }

  @Test
  void anAnswerArrivesOnTheContextThatAsked() {
    Promise<Context> mine = Promise.promise();
    Promise<Context> answeredOn = Promise.promise();
    front.runOnContext(_ -> {
      mine.complete(Vertx.currentContext());
      ask(21)
          .onSuccess(answer -> {
            assertEquals(42, answer);
            answeredOn.complete(Vertx.currentContext());
          });
    });
    assertSame(await(mine.future()), await(answeredOn.future()));
  }

  @Test
  void anAnswerThatDoesNotComeIsNamedWithItsTime() throws InterruptedException {
    var held = new CountDownLatch(1);
    logins.runOnContext(_ -> hold(held));
    Promise<Integer> late = Promise.promise();
    front.runOnContext(_ -> bus.ask(TWICE, 1, Duration.ofMillis(20)).onComplete(late));
    var failure =
        assertThrows(
            ExecutionException.class,
            () -> late.future().toCompletionStage().toCompletableFuture().get(30, SECONDS));
    held.countDown();
    assertEquals(
        "java.util.concurrent.TimeoutException: no answer at test.twice within 20 ms",
        String.valueOf(failure.getCause()));
    assertEquals(42, onFront(() -> ask(21)), "what comes too late does no harm");
  }

  @Test
  void anEventIsHeardOnTheContextThatListens() {
    Promise<Context> mine = Promise.promise();
    Promise<Context> heardOn = Promise.promise();
    String stage =
        await(
            front.deployVerticle(
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    mine.complete(context);
                    bus.hear(Topics.CALLS_LOST, _ -> heardOn.tryComplete(Vertx.currentContext()));
                    return Future.succeededFuture();
                  }
                }));
    bus.tell(Topics.CALLS_LOST, 1L);
    assertSame(await(mine.future()), await(heardOn.future()));
    await(front.undeploy(stage));
  }

  @Test
  void whatIsToldElsewhereIsHeardByTheOthers() {
    Promise<Long> heard = Promise.promise();
    bus.hear(Topics.CALLS_LOST, heard::tryComplete);
    front.runOnContext(_ -> bus.tell(Topics.CALLS_LOST, 3L));
    assertEquals(3L, await(heard.future()));
  }

  /** Else a login would wait for all that users ask. */
  @Test
  void manyQuestionsLeaveRoomForWhatElseIsToBeDone() throws InterruptedException {
    var held = new CountDownLatch(1);
    logins.runOnContext(_ -> hold(held));
    var allAsked = new CountDownLatch(1);
    Promise<Void> answered = Promise.promise();
    front.runOnContext(_ -> {
      Future.all(IntStream.range(0, MANY).mapToObj(this::ask).toList())
          .<Void>mapEmpty()
          .onComplete(answered);
      allAsked.countDown();
    });
    allAsked.await();
    Promise<Integer> askedBefore = Promise.promise();
    // The first turn sends the questions, and the second one answers them.
    logins.runOnContext(_ -> logins.runOnContext(_ -> askedBefore.complete(asked.size())));
    held.countDown();
    assertEquals(CrossLoopTasks.AT_ONCE, await(askedBefore.future()));
    await(answered.future());
    assertEquals(IntStream.range(0, MANY).boxed().toList(), onFront(this::seen));
  }

  @Test
  void aLoopThatHangsNeitherStopsAnotherNorFillsTheHeap() throws InterruptedException {
    Vertx third = VertxSettings.start(VertxSettings.quiet());
    List<Long> heard = new ArrayList<>(); // on the event loop that hangs
    await(
        front.deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                bus.hear(Topics.CALLS_LOST, heard::add);
                return Future.succeededFuture();
              }
            }));
    var held = new CountDownLatch(1);
    var holds = new CountDownLatch(1);
    front.runOnContext(_ -> {
      var _ = ask(1);
      holds.countDown();
      hold(held);
    });
    holds.await();
    for (long i = 0; i < 3L * HandlerElsewhere.MOST_WAITING; i++) {
      bus.tell(Topics.CALLS_LOST, i);
    }
    Promise<Integer> answered = Promise.promise();
    third.runOnContext(_ -> ask(21).onComplete(answered));
    assertEquals(42, await(answered.future()));
    held.countDown();
    assertEquals(
        LongStream.range(0, HandlerElsewhere.MOST_WAITING).boxed().toList(),
        onFront(() -> Future.succeededFuture(List.copyOf(heard))));
    await(third.close());
  }

  private Future<List<Integer>> seen() {
    Promise<List<Integer>> copy = Promise.promise();
    logins.runOnContext(_ -> copy.complete(List.copyOf(asked)));
    return copy.future();
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
