package dev.rollcall.agent.login.adopt;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Lets at most some sessions of one user move, have their caller searched, or be reported to their
 * job's provider, at the same time, so that a user with busy jobs does not take all threads for
 * that. Others of the user wait for their turn, up to a bound. All calls are on one event loop.
 */
public final class UserTurns {
  static final int MOST_WAITING = 256;

  private static final class Turns {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean passing;
  }

  private final int mostOfAUser;
  private final Map<Integer, Turns> users = new HashMap<>();

  public UserTurns(int mostOfAUser) {
    this.mostOfAUser = mostOfAUser;
  }

  /**
   * Fails if too many of the user's wait.
   *
   * @param work completes on the same event loop
   */
  public <T> Future<T> run(int uid, Supplier<Future<T>> work) {
    Turns turns = users.computeIfAbsent(uid, _ -> new Turns());
    if (turns.running < mostOfAUser) {
      return begin(uid, turns, work);
    }
    if (turns.waiting.size() >= MOST_WAITING) {
      return Future.failedFuture(
          MOST_WAITING + " sessions of uid " + Integer.toUnsignedString(uid) + " wait already");
    }
    Promise<T> later = Promise.promise();
    turns.waiting.add(() -> begin(uid, turns, work).onComplete(later));
    return later.future();
  }

  private <T> Future<T> begin(int uid, Turns turns, Supplier<Future<T>> work) {
    turns.running++;
    return work.get().onComplete(_ -> ended(uid, turns));
  }

  /** Not one within the other: work may be done at once. */
  private void ended(int uid, Turns turns) {
    turns.running--;
    if (turns.passing) {
      return;
    }
    turns.passing = true;
    try {
      while (turns.running < mostOfAUser && !turns.waiting.isEmpty()) {
        turns.waiting.remove().run();
      }
    } finally {
      turns.passing = false;
    }
    if (turns.running == 0) {
      users.remove(uid);
    }
  }
}
