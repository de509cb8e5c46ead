package dev.rollcall.gateway.route;

import io.micrometer.core.instrument.Counter;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Passes what nodes send to all who watch it, in order, on one thread of its own: so many watchers
 * delay no node. What finds no room in the queue is left out and counted. Thread-safe.
 */
final class WatchQueue<T> {
  /** At some 400 bytes each. */
  static final int MOST_WAITING = 10_000;

  private static final long IDLE_SECONDS = 10;

  private final Set<Consumer<T>> watchers = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor telling;

  WatchQueue(String thread, Counter leftOut) {
    this.telling =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofVirtual().name(thread).factory(),
            (_, _) -> leftOut.increment());
    telling.allowCoreThreadTimeOut(true);
  }

  /**
   * @param watcher must not block; runs on the watchers' thread
   * @return what to run when it does not watch any more
   */
  Runnable add(Consumer<T> watcher) {
    watchers.add(watcher);
    return () -> watchers.remove(watcher);
  }

  boolean isEmpty() {
    return watchers.isEmpty();
  }

  /**
   * @param what runs on the watchers' thread, once for all of them
   */
  void tell(Supplier<T> what) {
    if (!watchers.isEmpty()) {
      telling.execute(() -> {
        T made = what.get();
        watchers.forEach(watcher -> watcher.accept(made));
      });
    }
  }

  /** How much no watcher has got yet. */
  int waiting() {
    return telling.getQueue().size();
  }
}
