package dev.rollcall.agent.event;

import static dev.rollcall.agent.TestNode.await;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BusTest {
  private static final Query<Integer, String> WORD = new Query<>("test.word");

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Bus bus = new Bus(vertx);

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static Throwable failure(Future<?> future) {
    return requireNonNull(
        assertThrows(
                ExecutionException.class,
                () -> future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS))
            .getCause());
  }

  /** A stage that answers so. */
  private String deploy(Function<Integer, Future<String>> answerer) throws Exception {
    return await(
        vertx.deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                bus.answer(WORD, answerer);
                return Future.succeededFuture();
              }
            }));
  }

  private Future<String> ask(int question) {
    return bus.ask(WORD, question, Duration.ofSeconds(30));
  }

  @Test
  void asksFromAnyThread() throws Exception {
    deploy(number -> Future.succeededFuture("number " + number));
    assertEquals("number 7", await(ask(7)));
  }

  @Test
  void answersOnTheContextOfTheStage() throws Exception {
    var answeredOn = new AtomicReference<Context>();
    var deployedOn = new AtomicReference<Context>();
    await(
        vertx.deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                deployedOn.set(context);
                bus.answer(
                    WORD,
                    number -> {
                      answeredOn.set(Vertx.currentContext());
                      return Future.succeededFuture("number " + number);
                    });
                return Future.succeededFuture();
              }
            }));
    Context asker = vertx.getOrCreateContext();
    Promise<Context> afterwards = Promise.promise();
    asker.runOnContext(_ -> ask(1).onComplete(_ -> afterwards.complete(Vertx.currentContext())));
    assertSame(asker, await(afterwards.future()));
    assertSame(unwrapped(deployedOn.get()), unwrapped(answeredOn.get()));
  }

  /** Each message is handled on a context of its own, which is a duplicate of the stage's. */
  private static Context unwrapped(@Nullable Context context) {
    return ((ContextInternal) requireNonNull(context)).unwrap();
  }

  @Test
  void goesOnWhereItWasAskedWhenTheAnswerComesLater() throws Exception {
    Promise<String> later = Promise.promise();
    deploy(_ -> later.future());
    var asker = vertx.getOrCreateContext();
    Promise<Context> heardOn = Promise.promise();
    asker.runOnContext(_ -> ask(1).onComplete(_ -> heardOn.complete(Vertx.currentContext())));
    later.complete("late");
    assertSame(asker, await(heardOn.future()));
  }

  @Test
  void failsWhereNobodyAnswers() {
    assertEquals("nobody answers at test.word", failure(ask(1)).getMessage());
  }

  @Test
  void failsWhenTheAnswerDoesNotCome() throws Exception {
    deploy(_ -> Promise.<String>promise().future());
    assertInstanceOf(TimeoutException.class, failure(bus.ask(WORD, 1, Duration.ofMillis(20))));
  }

  @Test
  void failsWithWhatTheStageThrows() throws Exception {
    deploy(number -> {
      throw new IllegalArgumentException("number " + number + " is too large");
    });
    assertEquals("number 8 is too large", failure(ask(8)).getMessage());
    Promise<String> within = Promise.promise();
    vertx.runOnContext(_ -> ask(9).onComplete(within));
    assertEquals("number 9 is too large", failure(within.future()).getMessage());
  }

  @Test
  void hasOneStageAtAnAddressAndAnotherOnlyAfterwards() throws Exception {
    String first = deploy(_ -> Future.succeededFuture("first"));
    var refused =
        assertThrows(
            IllegalStateException.class,
            () -> bus.answer(WORD, _ -> Future.succeededFuture("second")));
    assertEquals("test.word is answered already", refused.getMessage());
    await(vertx.undeploy(first));
    assertEquals("nobody answers at test.word", failure(ask(1)).getMessage());
    deploy(_ -> Future.succeededFuture("second"));
    assertEquals("second", await(ask(1)));
  }
}
