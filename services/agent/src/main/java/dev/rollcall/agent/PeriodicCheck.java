package dev.rollcall.agent;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Repeats a check that may block, and for whose end nobody waits. It has a thread of its own, so
 * that an idle process wakes once for it. A Vert.x worker would also wake the event loop.
 */
final class PeriodicCheck implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeriodicCheck.class.getName());

  private final ScheduledThreadPoolExecutor thread;

  private PeriodicCheck(ScheduledThreadPoolExecutor thread) {
    this.thread = thread;
  }

  static PeriodicCheck every(Duration pause, String name, Runnable look) {
    var thread =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    var _ =
        thread.scheduleWithFixedDelay(
            () -> {
              try {
                look.run();
              } catch (RuntimeException e) {
                LOG.log(WARNING, name, e);
              }
            },
            pause.toMillis(),
            pause.toMillis(),
            TimeUnit.MILLISECONDS);
    return new PeriodicCheck(thread);
  }

  /** A look that is under way goes on. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
