package dev.rollcall.agent.event;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The node's own event bus with typed addresses. Messages are immutable records and are passed by
 * reference. A handler runs on the context in which it was registered.
 */
public final class Bus {
  /** For questions that are answered from memory: only a stage that is gone takes longer. */
  public static final Duration AT_ONCE = Duration.ofSeconds(1);

  private static final int FAILED = 1;
  private static final DeliveryOptions LOCAL =
      new DeliveryOptions().setLocalOnly(true).setCodecName(ByReference.NAME);

  private final EventBus eventBus;

  /** One for each Vertx: it registers the codec. */
  public Bus(Vertx vertx) {
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
    DeliveryOptions options =
        new DeliveryOptions(LOCAL).setSendTimeout(Math.max(1, timeout.toMillis()));
    return eventBus
        .<Object>request(query.address(), question, options)
        .map(reply -> query.answer().cast(reply.body()));
  }

  /** Answers the questions of an address from now on. */
  public <Q, A> void answer(Query<Q, A> query, Function<? super Q, Future<A>> answerer) {
    eventBus.<Object>localConsumer(
        query.address(), message -> reply(message, query.question(), answerer));
  }

  private static <Q, A> void reply(
      Message<Object> message, Class<Q> question, Function<? super Q, Future<A>> answerer) {
    Future.succeededFuture(question.cast(message.body()))
        .compose(answerer)
        .onSuccess(answer -> message.reply(answer, LOCAL))
        .onFailure(cause -> message.fail(FAILED, cause.toString()));
  }
}
