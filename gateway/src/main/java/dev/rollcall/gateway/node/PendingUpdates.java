package dev.rollcall.gateway.node;

import java.util.ArrayList;
import java.util.List;

/**
 * Updates that a node sent one after another, and that nobody has begun to enter: those that come
 * while the roll is busy go into it together.
 */
final class PendingUpdates<T> {
  private final List<T> updates = new ArrayList<>();
  private final List<Runnable> done = new ArrayList<>();
  private boolean begun;

  /** Takes none. */
  static <T> PendingUpdates<T> none() {
    var none = new PendingUpdates<T>();
    none.begun = true;
    return none;
  }

  static <T> PendingUpdates<T> of(T first, Runnable done) {
    var pending = new PendingUpdates<T>();
    pending.add(first, done);
    return pending;
  }

  /**
   * Says whether it is one of them: else it is too late for that.
   *
   * @param done runs when the roll has taken it
   */
  synchronized boolean add(T update, Runnable done) {
    if (begun) {
      return false;
    }
    updates.add(update);
    this.done.add(done);
    return true;
  }

  /** All of them; no more are taken. Again the same ones. */
  synchronized List<T> begin() {
    begun = true;
    return List.copyOf(updates);
  }

  void done() {
    List<Runnable> taken;
    synchronized (this) {
      taken = List.copyOf(done);
    }
    taken.forEach(Runnable::run);
  }
}
