package dev.rollcall.agent.event;

import static java.lang.System.Logger.Level.WARNING;

import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Passes the events of a topic to a handler on another event loop. Where that loop hangs, {@link
 * #MOST_WAITING} events wait for it, and later ones are dropped, so that its backlog does not fill
 * the heap. Called on one thread.
 */
final class HandlerElsewhere<T> implements Consumer<T> {
  static final int MOST_WAITING = 4096;

  private static final System.Logger LOG = System.getLogger(HandlerElsewhere.class.getName());

  private final ContextInternal context;
  private final Topic<T> topic;
  private final Consumer<T> handler;
  private final AtomicInteger waiting = new AtomicInteger();
  private boolean dropping;

  /**
   * @param context on which the handler runs
   */
  HandlerElsewhere(ContextInternal context, Topic<T> topic, Consumer<T> handler) {
    this.context = context;
    this.topic = topic;
    this.handler = handler;
  }

  @Override
  public void accept(T event) {
    if (waiting.get() >= MOST_WAITING) {
      if (!dropping) {
        LOG.log(
            WARNING,
            "{0} events {1} wait for an event loop that does not run: later ones are dropped",
            Integer.toString(MOST_WAITING),
            topic.address());
      }
      dropping = true;
      return;
    }
    // Not before half of them are handled: a slow loop would make a line for each event.
    dropping &= waiting.getAndIncrement() > MOST_WAITING / 2;
    context.runOnContext(_ -> {
      waiting.decrementAndGet();
      handler.accept(event);
    });
  }
}
