package dev.rollcall.lab.soak;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The time of a soak, from its beginning, by the monotonic clock. */
final class Clockwork {
  private final long began = System.nanoTime();

  long millis() {
    return (System.nanoTime() - began) / 1_000_000;
  }

  /** Returns when it is time, or at once when the thread is interrupted. */
  void await(Duration at) {
    long left = at.toNanos() - (System.nanoTime() - began);
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = at.toNanos() - (System.nanoTime() - began);
    }
  }
}
