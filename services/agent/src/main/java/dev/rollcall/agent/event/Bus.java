package dev.rollcall.agent.event;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The node's own event bus with typed addresses. Messages are immutable records and are passed by
 * reference. A handler runs on the context in which it was registered.
 *
 * <p>Events go over the event bus of Vert.x. A question goes straight to the stage that answers
 * there: the stages that decide about logins are on one event loop, that of this bus's Vert.x. The
 * stages to which users can connect are on the event loop of another Vert.x; what they ask and
 * publish comes in {@link Turns}.
 */
public final class Bus {
  /** For questions that are answered from memory: only a stage that is gone takes longer. */
  public static final Duration AT_ONCE = Duration.ofSeconds(1);

  private static final DeliveryOptions LOCAL =
      new DeliveryOptions().setLocalOnly(true).setCodecName(ByReference.NAME);

  private final VertxInternal vertx;
  private final EventBus eventBus;
  private final ContextInternal logins;
  private final Turns turns;
  private final Map<Query<?, ?>, Desk<?, ?>> desks = new ConcurrentHashMap<>();

  /** One for each Vertx: it registers the codec. */
  public Bus(Vertx vertx) {
    this.vertx = (VertxInternal) vertx;
    eventBus = vertx.eventBus();
    eventBus.registerCodec(new ByReference());
    logins = this.vertx.createEventLoopContext();
    turns = new Turns(logins);
  }

  /** Publishes an event to whoever hears it. */
  public <T> void tell(Topic<T> topic, T event) {
    Runnable publish = () -> eventBus.publish(topic.address(), event, LOCAL);
    elsewhere().ifPresentOrElse(from -> turns.run(from, publish), publish);
  }

  /**
   * Calls the handler for each event of the topic from now on, until the stage that says so is
   * undeployed.
   */
  public <T> void hear(Topic<T> topic, Consumer<T> handler) {
    elsewhere()
        .ifPresentOrElse(
            context -> hearElsewhere(context, topic, handler), () -> consume(topic, handler));
  }

  private <T> void hearElsewhere(ContextInternal context, Topic<T> topic, Consumer<T> handler) {
    // The library would make a context of its own for a thread of another Vert.x.
    ContextInternal before = logins.beginDispatch();
    try {
      MessageConsumer<Object> consumer =
          consume(topic, event -> context.runOnContext(_ -> handler.accept(event)));
      context.closeFuture().add(closed -> consumer.unregister().onComplete(closed));
    } finally {
      logins.endDispatch(before);
    }
  }

  private <T> MessageConsumer<Object> consume(Topic<T> topic, Consumer<T> handler) {
    return eventBus.localConsumer(
        topic.address(), message -> handler.accept(topic.type().cast(message.body())));
  }

  /** The current context, if it is one of another Vert.x. */
  private Optional<ContextInternal> elsewhere() {
    ContextInternal current = ContextInternal.current();
    return current == null || vertx.equals(current.owner())
        ? Optional.empty()
        : Optional.of(current);
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
    Runnable answer = () -> desk.answer(question).onComplete(promise);
    elsewhere()
        .ifPresentOrElse(
            from -> turns.run(from, answer), () -> desk.context.runOnContext(_ -> answer.run()));
    return inTime(query, promise.future(), timeout);
  }

  /** On the context of whoever asks: its own timer wakes no other thread. */
  private <A> Future<A> inTime(Query<?, A> query, Future<A> answer, Duration timeout) {
    ContextInternal current = ContextInternal.current();
    ContextInternal asker = current == null ? vertx.getOrCreateContext() : current;
    Promise<A> promise = asker.promise();
    long millis = Math.max(1, timeout.toMillis());
    long timer =
        asker.setTimer(
            millis,
            _ ->
                promise.tryFail(
                    new TimeoutException(
                        "no answer at " + query.address() + " within " + millis + " ms")));
    answer.onComplete(result -> {
      asker.owner().cancelTimer(timer);
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
