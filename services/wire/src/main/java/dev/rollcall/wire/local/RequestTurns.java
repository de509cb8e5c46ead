package dev.rollcall.wire.local;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives the requests of users turns: each user has one request in work, and users follow each other
 * in a circle. So a request waits for one of each other user, however many connections those have.
 * Between two turns the event loop looks at its sockets. On that event loop.
 */
final class RequestTurns {
  /** A request that is not answered by then leaves the turn to its user's next one. */
  static final int LONGEST_MILLIS = 100;

  private final ContextInternal context;
  private final Map<Object, Deque<Turn>> turns = new HashMap<>();
  private final Deque<Turn> next = new ArrayDeque<>();

  /**
   * @param context on whose event loop requests are worked at
   */
  RequestTurns(ContextInternal context) {
    this.context = context;
  }

  /** A request's turn, which comes and ends once. */
  final class Turn {
    private final Object user;
    private final Runnable work;
    private @Nullable Future<?> longest;
    private boolean over;

    private Turn(Object user, Runnable work) {
      this.user = user;
      this.work = work;
    }

    private void begin() {
      longest = loop().schedule(this::end, LONGEST_MILLIS, TimeUnit.MILLISECONDS);
      context.dispatch(work);
    }

    /** The request is answered, refused or given up: the user's next one may have its turn. */
    void end() {
      if (over) {
        return;
      }
      over = true;
      if (longest != null) {
        longest.cancel(false);
      }
      leave(this);
    }
  }

  /**
   * Queues behind the user's other requests.
   *
   * @param work begins the request; it is not run before this has returned
   */
  Turn await(Object user, Runnable work) {
    var turn = new Turn(user, work);
    Deque<Turn> ofUser = turns.computeIfAbsent(user, _ -> new ArrayDeque<>());
    ofUser.add(turn);
    if (ofUser.size() == 1) {
      queue(turn);
    }
    return turn;
  }

  private void leave(Turn turn) {
    Deque<Turn> ofUser = turns.getOrDefault(turn.user, new ArrayDeque<>());
    boolean first = ofUser.peek() == turn;
    ofUser.remove(turn);
    if (ofUser.isEmpty()) {
      turns.remove(turn.user);
    } else if (first) {
      queue(ofUser.getFirst());
    }
  }

  private void queue(Turn turn) {
    next.add(turn);
    if (next.size() == 1) {
      lookAtSocketsFirst();
    }
  }

  /** Tasks that are due run after the sockets, those of execute() all one after another. */
  private void lookAtSocketsFirst() {
    var _ = loop().schedule(this::step, 0, TimeUnit.NANOSECONDS);
  }

  private void step() {
    Turn turn = next.getFirst();
    try {
      if (!turn.over) {
        turn.begin();
      }
    } finally {
      next.removeFirst();
      if (!next.isEmpty()) {
        lookAtSocketsFirst();
      }
    }
  }

  private EventLoop loop() {
    return context.nettyEventLoop();
  }
}
