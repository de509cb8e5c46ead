package dev.rollcall.jobs;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import java.util.concurrent.locks.ReentrantLock;

/** A job whose state cannot change, because its lock is held. */
public interface LockedJob {
  JobId id();

  /** Covers the state and every move into and out of the job. */
  ReentrantLock lock();

  JobState state();

  /** For people: {@code job 42 is closing}. */
  String standing();
}
