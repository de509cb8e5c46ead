package dev.rollcall.gateway.node;

import dev.rollcall.model.Call;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls that a node told one after another, and that nobody has begun to enter: those that come
 * while the roll is busy go into it together.
 */
final class CallBatch {
  private final List<Call> calls = new ArrayList<>();
  private final List<Runnable> done = new ArrayList<>();
  private boolean begun;

  /** Takes none. */
  static CallBatch none() {
    var none = new CallBatch();
    none.begun = true;
    return none;
  }

  /**
   * Says whether it is one of them: else it is too late for that.
   *
   * @param done runs when the roll has taken it
   */
  synchronized boolean add(Call call, Runnable done) {
    if (begun) {
      return false;
    }
    calls.add(call);
    this.done.add(done);
    return true;
  }

  /** All of them; no more are taken. Again the same ones. */
  synchronized List<Call> begin() {
    begun = true;
    return List.copyOf(calls);
  }

  void done() {
    List<Runnable> taken;
    synchronized (this) {
      taken = List.copyOf(done);
    }
    taken.forEach(Runnable::run);
  }
}
