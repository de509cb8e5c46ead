package dev.rollcall.jobs;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/** A job, with the lock that covers its state. */
public abstract class LockedJob {
  /** Covers the state and every move into and out of the job. */
  public final ReentrantLock lock = new ReentrantLock();

  private final JobList list;
  private volatile Job job;

  /**
   * @param list gets its changes
   */
  protected LockedJob(Job job, JobList list) {
    this.job = job;
    this.list = list;
  }

  public final Job job() {
    return job;
  }

  public final JobId id() {
    return job.id();
  }

  public final JobState state() {
    return job.state();
  }

  /** Replaces it, and publishes nothing. Under the lock. */
  protected final void set(Job changed) {
    job = changed;
  }

  /** Publishes it as it is. Under the lock. */
  public final void publish() {
    list.changed(job);
  }

  /** Done under the lock. */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** Does something under the lock. */
  public final <T, E extends Exception> T locked(Work<T, E> work) throws E {
    lock.lock();
    try {
      return work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Does something under the lock. */
  public final void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /** For people: {@code job 42 is closing}. */
  public final String standing() {
    return "job " + id() + " is " + state().name().toLowerCase(Locale.ROOT);
  }
}
