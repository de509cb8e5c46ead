package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.model.JobState;
import java.io.IOException;

/** Removes the leaves of sessions that have ended, with their last accounts. */
record EndedSessions(Leaves leaves, LastAccounts lastAccounts) {
  private static final System.Logger LOG = System.getLogger(EndedSessions.class.getName());

  /** Not while an adoption is at it: the next occasion will do. */
  void reap(NativeJob job) {
    if (!job.lock.tryLock()) {
      return;
    }
    try {
      if (job.state() == JobState.OPEN) {
        for (long session : leaves.sessionNumbers(job.id())) {
          lastAccounts.closed(job.job(), session);
        }
      }
    } catch (IOException e) {
      LOG.log(WARNING, "reap sessions of job {0}: {1}", job.id(), e.getMessage());
    } finally {
      job.lock.unlock();
    }
  }
}
