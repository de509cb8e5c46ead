package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.INFO;

import dev.rollcall.jobs.usage.Accounts;
import dev.rollcall.jobs.usage.JobIncidents;
import dev.rollcall.port.Jobs.EndResult;
import java.time.Duration;

/** Repeats periodic checks: of leaves, memory, limits, and ends that failed. */
record Upkeep(
    KnownJobs known,
    JobIncidents incidents,
    Accounts accounts,
    SessionReaper reaper,
    Bounds bounds,
    Suspension suspension,
    Ends ends,
    UnownedCgroups unowned) {
  /** The parts that watch ends of jobs. */
  record Ends(Ending ending, HeldUpEnds heldUp, UnkillableJobs unkillable) {}

  private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
  private static final Duration TO_RETRY_AN_END = Duration.ofMillis(200);

  void sweep() {
    for (NativeJob job : known.byId().values()) {
      switch (job.state()) {
        case CLOSING -> endAgain(job);
        case SUSPENDED -> {
          suspension.keep(job);
          bounds.hold(job, known.list()::befell);
        }
        case OPEN -> {
          incidents.look(job.job());
          accounts.sample(job.job());
          reaper.reap(job);
          bounds.hold(job, known.list()::befell);
        }
        case BEGINNING, CLOSED -> {}
      }
    }
    unowned.clear();
  }

  /** On a thread of its own, for which the sweep waits a little: other jobs' turn comes anyway. */
  private void endAgain(NativeJob job) {
    var _ = ends.unkillable().look(job);
    boolean loggedOrAtWork = ends.heldUp().look(job) || job.atWork().isPresent();
    if (loggedOrAtWork || !job.graceLeft().isZero()) {
      return;
    }
    Thread end =
        Ending.thread(
            job,
            () -> {
              if (ends.ending().again(job, TO_RETRY_AN_END) instanceof EndResult.Clean) {
                LOG.log(INFO, "job {0} is ended after a delay", job.id());
              }
            });
    try {
      end.join(TO_RETRY_AN_END.multipliedBy(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
