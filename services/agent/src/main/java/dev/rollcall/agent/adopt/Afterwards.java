package dev.rollcall.agent.adopt;

import static java.lang.System.Logger.Level.WARNING;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What no login need wait for: it is done in the lull after logins, since those that follow each
 * other closely are on the same event loop. On that event loop.
 */
final class Afterwards {
  private static final System.Logger LOG = System.getLogger(Afterwards.class.getName());

  /** So long after a login another one of a row would have come. */
  static final Duration LULL = Duration.ofMillis(10);

  /** What waits longer is done between logins. */
  static final Duration LONGEST = Duration.ofMillis(250);

  /** A login that comes meanwhile waits for so many. */
  private static final int AT_A_TIME = 4;

  private record Left(long atNanos, Runnable work) {}

  private final Queue<Left> left = new ArrayDeque<>();
  private final Vertx vertx;
  private final LongSupplier nanoTime;
  private long lastLogin;
  private boolean waiting;

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  Afterwards(Vertx vertx, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.nanoTime = nanoTime;
  }

  /** Leaves this for the lull after the login that has just been answered. */
  void leave(Runnable work) {
    lastLogin = nanoTime.getAsLong();
    left.add(new Left(lastLogin, work));
    if (!waiting) {
      waiting = true;
      comeBack(LULL.toNanos());
    }
  }

  private void comeBack(long nanos) {
    vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, _ -> look());
  }

  private void look() {
    long wait = untilDue();
    for (int done = 0; done < AT_A_TIME && wait <= 0 && !left.isEmpty(); done++) {
      doNext();
      wait = untilDue();
    }
    waiting = !left.isEmpty();
    if (waiting) {
      comeBack(Math.max(0, wait));
    }
  }

  private long untilDue() {
    Left first = left.peek();
    if (first == null) {
      return 0;
    }
    long now = nanoTime.getAsLong();
    return Math.min(lastLogin + LULL.toNanos() - now, first.atNanos() + LONGEST.toNanos() - now);
  }

  /** What fails is said, and keeps nothing else from being done. */
  private void doNext() {
    try {
      left.remove().work().run();
    } catch (RuntimeException e) {
      LOG.log(WARNING, "what follows a login was not done whole", e);
    }
  }

  /** Does all that is left, at once. */
  void finish() {
    while (!left.isEmpty()) {
      doNext();
    }
  }
}
