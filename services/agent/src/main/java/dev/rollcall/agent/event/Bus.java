package dev.rollcall.agent.event;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The node's event bus (Vert.x) with typed addresses. Messages are immutable and are passed by
 * reference. A handler runs on the context in which it was registered.
 *
 * <p>The stages that decide about logins are on one event loop, that of this bus's Vert.x. The
 * stages to which users and root can connect are each on the event loop of another Vert.x; what
 * they ask and publish comes in {@link CrossLoopTasks}. An event loop that does not run, because
 * its thread hangs in a system call, is left out: see {@link HandlerElsewhere}.
 */
public final class Bus {
  /** For questions that are answered from memory: only a stage that is gone takes longer. */
  public static final Duration AT_ONCE = Duration.ofSeconds(1);

  private static final DeliveryOptions LOCAL =
      new DeliveryOptions().setLocalOnly(true).setCodecName(ByReference.NAME);

  private final VertxInternal vertx;
  private final EventBus eventBus;
  private final ContextInternal logins;
  private final Map<Vertx, CrossLoopTasks> turns = new ConcurrentHashMap<>();
  private final Set<String> answered = ConcurrentHashMap.newKeySet();

  /** One for each Vertx: it registers the codec. */
  public Bus(Vertx vertx) {
    this.vertx = (VertxInternal) vertx;
    eventBus = vertx.eventBus();
    eventBus.registerCodec(new ByReference());
    logins = this.vertx.createEventLoopContext();
  }

  /** Publishes an event to all consumers. */
  public <T> void tell(Topic<T> topic, T event) {
    Runnable publish = () -> eventBus.publish(topic.address(), event, LOCAL);
    elsewhere().ifPresentOrElse(from -> run(from, publish), publish);
  }

  /**
   * Calls the handler for each event of the topic from now on, until the calling stage is
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
      MessageConsumer<T> consumer = consume(topic, new HandlerElsewhere<>(context, topic, handler));
      context.closeFuture().add(closed -> consumer.unregister().onComplete(closed));
    } finally {
      logins.endDispatch(before);
    }
  }

  private <T> MessageConsumer<T> consume(Topic<T> topic, Consumer<T> handler) {
    return eventBus.<T>localConsumer(topic.address(), message -> handler.accept(message.body()));
  }

  /** Each event loop has turns of its own, so that one that hangs does not stop the others. */
  private void run(ContextInternal from, Runnable task) {
    turns.computeIfAbsent(from.owner(), _ -> new CrossLoopTasks(logins)).run(from, task);
  }

  /** The current context, if it is one of another Vert.x. */
  private Optional<ContextInternal> elsewhere() {
    ContextInternal current = ContextInternal.current();
    return current == null || vertx.equals(current.owner())
        ? Optional.empty()
        : Optional.of(current);
  }

  /**
   * Asks. Fails with a ReplyException when nobody answers at that address, with a TimeoutException
   * that names it when the answer does not come in time, or as the answer does.
   */
  public <Q, A> Future<A> ask(Query<Q, A> query, Q question, Duration timeout) {
    long millis = Math.max(1, timeout.toMillis());
    Optional<ContextInternal> elsewhere = elsewhere();
    if (elsewhere.isEmpty()) {
      return request(query, question, millis);
    }
    ContextInternal from = elsewhere.get();
    Promise<A> answer = from.promise();
    run(
        from,
        () ->
            request(query, question, millis)
                .onSuccess(answer::tryComplete)
                .onFailure(answer::tryFail));
    // The timer of the other event loop does not help where that one is busy.
    long timer = from.owner().setTimer(millis, _ -> answer.tryFail(noAnswer(query, millis)));
    return answer.future().onComplete(_ -> from.owner().cancelTimer(timer));
  }

  private <Q, A> Future<A> request(Query<Q, A> query, Q question, long millis) {
    DeliveryOptions options = new DeliveryOptions(LOCAL).setSendTimeout(millis);
    return eventBus
        .<AsyncResult<A>>request(query.address(), question, options)
        .transform(reply ->
            reply.succeeded()
                ? answer(reply.result().body())
                : Future.failedFuture(failure(query, reply.cause(), millis)));
  }

  private static <A> Future<A> answer(AsyncResult<A> given) {
    return given.succeeded()
        ? Future.succeededFuture(given.result())
        : Future.failedFuture(given.cause());
  }

  private static Throwable failure(Query<?, ?> query, Throwable cause, long millis) {
    return switch (cause) {
      case ReplyException reply when reply.failureType() == ReplyFailure.NO_HANDLERS ->
          new ReplyException(ReplyFailure.NO_HANDLERS, "nobody answers at " + query.address());
      case ReplyException reply when reply.failureType() == ReplyFailure.TIMEOUT ->
          noAnswer(query, millis);
      default -> cause;
    };
  }

  private static TimeoutException noAnswer(Query<?, ?> query, long millis) {
    return new TimeoutException("no answer at " + query.address() + " within " + millis + " ms");
  }

  /**
   * Answers the questions of an address, until the calling stage is undeployed.
   *
   * @throws IllegalStateException if another consumer does
   */
  public <Q, A> void answer(Query<Q, A> query, Function<? super Q, Future<A>> answerer) {
    if (!answered.add(query.address())) {
      throw new IllegalStateException(query.address() + " is answered already");
    }
    eventBus.<Q>localConsumer(query.address(), message -> reply(message, answerer));
    vertx
        .getOrCreateContext()
        .closeFuture()
        .add(closed -> {
          answered.remove(query.address());
          closed.succeed();
        });
  }

  private static <Q, A> void reply(Message<Q> message, Function<? super Q, Future<A>> answerer) {
    Future<A> answer;
    try {
      answer = answerer.apply(message.body());
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onComplete(given -> message.reply(given, LOCAL));
  }
}
