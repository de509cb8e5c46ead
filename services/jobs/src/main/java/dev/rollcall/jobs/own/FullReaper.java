package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.model.JobState;
import java.io.IOException;
import java.time.Duration;

/**
 * Gives the last accounts of all ended sessions of a job and removes their leaves, at periodic
 * checks and when processes are listed. {@link GradualReaper} does it for a few after each login.
 */
record FullReaper(Leaves leaves, LastAccounts lastAccounts) {
  private static final System.Logger LOG = System.getLogger(FullReaper.class.getName());

  /** The lock is held for some milliseconds as a rule. If it takes longer, the next check reaps. */
  private static final Duration TO_WAIT = Duration.ofSeconds(1);

  /** Waits for the lock: for sweeps. */
  void reap(NativeJob job) {
    if (NativeJob.took(job.lock, TO_WAIT)) {
      reapLocked(job);
    }
  }

  /** Does nothing during a begin or an adoption, because it would see the state before that. */
  void reapAtOnce(NativeJob job) {
    if (job.lock.tryLock()) {
      reapLocked(job);
    }
  }

  private void reapLocked(NativeJob job) {
    try {
      if (job.state() == JobState.OPEN) {
        for (long session : leaves.sessionNumbers(job.id())) {
          lastAccounts.closed(job.job(), session);
        }
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot reap sessions of job {0}: {1}", job.id(), e.getMessage());
    } finally {
      job.lock.unlock();
    }
  }
}
