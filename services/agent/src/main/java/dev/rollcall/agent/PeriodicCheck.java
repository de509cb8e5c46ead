package dev.rollcall.agent;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.wire.pace.AlignedPeriod;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Repeats a check that may block, and for whose end nobody waits, at the moments of {@link
 * AlignedPeriod}. It has a thread of its own, so that an idle process wakes once for it. A Vert.x
 * worker would also wake the event loop.
 */
final class PeriodicCheck implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeriodicCheck.class.getName());

  private final Duration period;
  private final String name;
  private final Runnable look;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean due;

  private PeriodicCheck(Duration period, String name, Runnable look) {
    this.period = period;
    this.name = name;
    this.look = look;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::repeat);
  }

  static PeriodicCheck every(Duration period, String name, Runnable look) {
    var check = new PeriodicCheck(period, name, look);
    check.thread.start();
    return check;
  }

  private void repeat() {
    for (await(); !closed; await()) {
      due = false;
      try {
        look.run();
      } catch (RuntimeException e) {
        LOG.log(WARNING, name, e);
      }
    }
  }

  private void await() {
    long next = System.nanoTime() + AlignedPeriod.untilNext(period).toNanos();
    while (!closed && !due && next - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, next - System.nanoTime());
    }
  }

  /** Looks now, or once more after a look that is under way. Returns at once. */
  void soon() {
    due = true;
    LockSupport.unpark(thread);
  }

  /** A look that is under way goes on. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
