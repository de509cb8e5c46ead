package dev.rollcall.gateway.work;

import dev.rollcall.port.RollUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs tasks in the order of their submission, off the event loop. A task that the roll could not
 * take is tried again for a while; then the line ends and its owner is told.
 */
public final class SerialExecutor {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int TRIES = 5;

  private final Workers workers;
  private final Consumer<Throwable> failed;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean ended;

  /**
   * @param failed told once, on a worker
   */
  public SerialExecutor(Workers workers, Consumer<Throwable> failed) {
    this.workers = workers;
    this.failed = failed;
  }

  /** Does this after all that was added before. The caller bounds how much it adds. */
  public void add(Runnable task) {
    synchronized (this) {
      if (ended) {
        return;
      }
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    var _ =
        workers
            .run(() -> {
              drain();
              return true;
            })
            .exceptionally(cause -> {
              fail(cause);
              return false;
            });
  }

  /** Drops what waits; what is added later is dropped too. */
  public synchronized void end() {
    ended = true;
    waiting.clear();
  }

  private void drain() {
    while (true) {
      Runnable task;
      synchronized (this) {
        task = waiting.poll();
        if (task == null) {
          running = false;
          return;
        }
      }
      withPatience(task);
    }
  }

  private void withPatience(Runnable task) {
    for (int tries = 1; ; tries++) {
      try {
        task.run();
        return;
      } catch (RollUnavailableException e) {
        if (tries == TRIES || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void fail(Throwable cause) {
    boolean first;
    synchronized (this) {
      first = !ended;
      end();
    }
    if (first) {
      failed.accept(cause);
    }
  }
}
