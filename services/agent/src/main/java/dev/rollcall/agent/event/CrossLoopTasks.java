package dev.rollcall.agent.event;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Passes tasks from another event loop to that of the logins, a few at a time. The next few go when
 * the other loop has seen the end of those before, so that the loop of the logins looks at its
 * sockets in between. Thread-safe; tasks run in order.
 */
final class CrossLoopTasks {
  /** A task takes some 10 µs: a login waits for less than a millisecond of them. */
  static final int AT_ONCE = 16;

  private final ContextInternal logins;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean underWay;

  /**
   * @param logins on whose event loop tasks run
   */
  CrossLoopTasks(ContextInternal logins) {
    this.logins = logins;
  }

  /**
   * Runs the task on the event loop of the logins, after those that came before.
   *
   * @param from whence it comes: never the same event loop
   */
  void run(ContextInternal from, Runnable task) {
    synchronized (this) {
      waiting.add(task);
      if (underWay) {
        return;
      }
      underWay = true;
    }
    begin(from);
  }

  private void begin(ContextInternal from) {
    logins.runOnContext(_ -> {
      try {
        for (int i = 0; i < AT_ONCE; i++) {
          Runnable next = next();
          if (next == null) {
            break;
          }
          next.run();
        }
      } finally {
        // What they sent over the event bus is handled first: that is queued already.
        logins.runOnContext(_ -> from.nettyEventLoop().execute(() -> goOn(from)));
      }
    });
  }

  private synchronized @Nullable Runnable next() {
    return waiting.poll();
  }

  private void goOn(ContextInternal from) {
    synchronized (this) {
      if (waiting.isEmpty()) {
        underWay = false;
        return;
      }
    }
    begin(from);
  }
}
