package dev.rollcall.agent.login.adopt;

import static java.lang.System.Logger.Level.WARNING;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Runs work while no login waits on the same event loop. On that event loop. */
public final class IdleWork {
  private static final System.Logger LOG = System.getLogger(IdleWork.class.getName());

  /** How long after a login another one of a row would have come. */
  public static final Duration IDLE = Duration.ofMillis(10);

  /** Work that waits longer is done between logins. */
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
  public IdleWork(Vertx vertx, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.nanoTime = nanoTime;
  }

  /** Does this when no login has come for {@link #IDLE} since the one that was just answered. */
  void leave(Runnable work) {
    lastLogin = nanoTime.getAsLong();
    left.add(new Left(lastLogin, work));
    if (!waiting) {
      waiting = true;
      comeBack(IDLE.toNanos());
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
    return Math.min(lastLogin + IDLE.toNanos() - now, first.atNanos() + LONGEST.toNanos() - now);
  }

  /** Logs a failure and goes on. */
  private void doNext() {
    try {
      left.remove().work().run();
    } catch (RuntimeException e) {
      LOG.log(WARNING, "a task after a login failed", e);
    }
  }

  /** Does all that is left, at once. */
  void finish() {
    while (!left.isEmpty()) {
      doNext();
    }
  }
}
