package dev.rollcall.agent;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Repeats a look that may block and of which nobody awaits the end: on a thread of its own, so that
 * a process at rest wakes for it once. Of a worker the event loop would have to be told.
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
