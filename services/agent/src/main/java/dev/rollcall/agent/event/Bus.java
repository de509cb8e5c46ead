package dev.rollcall.agent.event;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The node's own event bus with typed addresses. Messages are immutable records and are passed by
 * reference. A handler runs on the context in which it was registered.
 *
 * <p>What is told goes over the event bus of Vert.x. What is asked goes straight to the stage that
 * answers there: all stages are on one event loop, and somebody waits for the answer.
 */
public final class Bus {
  /** For questions that are answered from memory: only a stage that is gone takes longer. */
  public static final Duration AT_ONCE = Duration.ofSeconds(1);

  private static final DeliveryOptions LOCAL =
      new DeliveryOptions().setLocalOnly(true).setCodecName(ByReference.NAME);

  private final VertxInternal vertx;
  private final EventBus eventBus;
  private final Map<Query<?, ?>, Desk<?, ?>> desks = new ConcurrentHashMap<>();

  /** One for each Vertx: it registers the codec. */
  public Bus(Vertx vertx) {
    this.vertx = (VertxInternal) vertx;
    eventBus = vertx.eventBus();
    eventBus.registerCodec(new ByReference());
  }

  /** Publishes an event to whoever hears it. */
  public <T> void tell(Topic<T> topic, T event) {
    eventBus.publish(topic.address(), event, LOCAL);
  }

  /** Calls the handler for each event of the topic from now on. */
  public <T> void hear(Topic<T> topic, Consumer<T> handler) {
    eventBus.<Object>localConsumer(
        topic.address(), message -> handler.accept(topic.type().cast(message.body())));
  }

  /** Asks. Fails when nobody answers at that address, in time, or the answer is a failure. */
  public <Q, A> Future<A> ask(Query<Q, A> query, Q question, Duration timeout) {
    @SuppressWarnings("unchecked") // answer() puts it there, with the types of the query
    var desk = (Desk<Q, A>) desks.get(query);
    if (desk == null) {
      return Future.failedFuture("nobody answers at " + query.address());
    }
    if (desk.context.inThread()) {
      Future<A> answer = desk.answer(question);
      return answer.isComplete() ? answer : inTime(query, answer, timeout);
    }
    Promise<A> promise = Promise.promise();
    desk.context.runOnContext(_ -> desk.answer(question).onComplete(promise));
    return inTime(query, promise.future(), timeout);
  }

  /** On the context of whoever asks: its own timer wakes no other thread. */
  private <A> Future<A> inTime(Query<?, A> query, Future<A> answer, Duration timeout) {
    Promise<A> promise = vertx.getOrCreateContext().promise();
    long millis = Math.max(1, timeout.toMillis());
    long timer =
        vertx.setTimer(
            millis,
            _ ->
                promise.tryFail(
                    new TimeoutException(
                        "no answer at " + query.address() + " within " + millis + " ms")));
    answer.onComplete(result -> {
      vertx.cancelTimer(timer);
      if (result.succeeded()) {
        promise.tryComplete(result.result());
      } else {
        promise.tryFail(result.cause());
      }
    });
    return promise.future();
  }

  /**
   * Answers the questions of an address, until the stage that says so is undeployed.
   *
   * @throws IllegalStateException if somebody else does
   */
  public <Q, A> void answer(Query<Q, A> query, Function<? super Q, Future<A>> answerer) {
    ContextInternal context = vertx.getOrCreateContext();
    var desk = new Desk<Q, A>(context, answerer);
    if (desks.putIfAbsent(query, desk) != null) {
      throw new IllegalStateException("somebody answers at " + query.address() + " already");
    }
    context
        .closeFuture()
        .add(closed -> {
          desks.remove(query, desk);
          closed.succeed();
        });
  }

  /** Where a stage answers. */
  private record Desk<Q, A>(ContextInternal context, Function<? super Q, Future<A>> answerer) {
    /** To be called on the event loop of the context. */
    Future<A> answer(Q question) {
      ContextInternal before = context.beginDispatch();
      try {
        return answerer.apply(question);
      } catch (RuntimeException e) {
        return Future.failedFuture(e);
      } finally {
        context.endDispatch(before);
      }
    }
  }
}
