package dev.rollcall.jobs;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A job whose state cannot change, because its lock is held. */
public interface LockedJob {
  JobId id();

  /** Covers the state and every move into and out of the job. */
  ReentrantLock lock();

  JobState state();

  /** Does something under the lock. */
  default <T> T locked(Supplier<T> work) {
    lock().lock();
    try {
      return work.get();
    } finally {
      lock().unlock();
    }
  }

  default void locked(Runnable work) {
    locked(() -> {
      work.run();
      return this;
    });
  }

  /** For people: {@code job 42 is closing}. */
  default String standing() {
    return "job " + id() + " is " + state().name().toLowerCase(Locale.ROOT);
  }
}
