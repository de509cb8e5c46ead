package dev.rollcall.gateway.node;

import java.util.ArrayList;
import java.util.List;

/**
 * A job that a node told and that nobody has begun to enter: what the node tells of it while the
 * roll is busy takes its place, so that one list of its processes waits and not one for each event.
 */
final class JobUpdate {
  private final List<Runnable> done = new ArrayList<>();
  private JobUpdates.Entry latest;
  private boolean begun;

  JobUpdate(JobUpdates.Entry first, Runnable done) {
    latest = first;
    this.done.add(done);
  }

  /**
   * Says whether it is not too late for that.
   *
   * @param done runs when the roll has taken it
   */
  synchronized boolean replace(JobUpdates.Entry later, Runnable done) {
    if (begun) {
      return false;
    }
    latest = later;
    this.done.add(done);
    return true;
  }

  /** The latest; no later one is taken. Again the same one. */
  synchronized JobUpdates.Entry begin() {
    begun = true;
    return latest;
  }

  void done() {
    List<Runnable> taken;
    synchronized (this) {
      taken = List.copyOf(done);
    }
    taken.forEach(Runnable::run);
  }
}
