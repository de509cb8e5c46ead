package dev.rollcall.load.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Undoes changes when a signal (SIGINT, SIGTERM) ends this process before they were undone
 * otherwise. The latest change is undone first.
 */
public final class AtExit {
  private static final Deque<AtExit> PENDING = new ArrayDeque<>();
  private static @Nullable Thread hook;
  private static boolean ending;

  private final Runnable undo;

  private AtExit(Runnable undo) {
    this.undo = undo;
  }

  /**
   * @throws BenchFailedException when this process is ending: then it was undone at once
   */
  public static AtExit of(Runnable undo) {
    var one = new AtExit(undo);
    if (one.isPending()) {
      return one;
    }
    undo.run();
    throw new BenchFailedException("this process is told to end");
  }

  private boolean isPending() {
    synchronized (PENDING) {
      if (ending) {
        return false;
      }
      if (hook == null) {
        hook = new Thread(AtExit::undoAll, "rollcall-bench-end");
        Runtime.getRuntime().addShutdownHook(hook);
      }
      PENDING.push(this);
      return true;
    }
  }

  /** It was undone. */
  public void forget() {
    synchronized (PENDING) {
      PENDING.remove(this);
    }
  }

  private static void undoAll() {
    for (Optional<AtExit> next = next(); next.isPresent(); next = next()) {
      try {
        next.get().undo.run();
      } catch (RuntimeException e) {
        System.err.println("rollcall bench: " + e.getMessage());
      }
    }
  }

  private static Optional<AtExit> next() {
    synchronized (PENDING) {
      ending = true;
      return Optional.ofNullable(PENDING.poll());
    }
  }
}
