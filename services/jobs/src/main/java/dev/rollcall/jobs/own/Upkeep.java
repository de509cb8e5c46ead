package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.INFO;

import dev.rollcall.jobs.usage.Accounts;
import dev.rollcall.jobs.usage.JobIncidents;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.EndResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Repeats periodic checks: of leaves, memory, limits, and ends that failed. */
record Upkeep(
    KnownJobs known,
    JobIncidents incidents,
    Accounts accounts,
    SessionReaper reaper,
    Limiting limiting,
    Devices devices,
    Suspension suspension,
    Ends ends,
    UnownedCgroups unowned) {
  /** The parts that watch ends of jobs. */
  record Ends(Ending ending, HeldUpEnds heldUp, UnkillableJobs unkillable) {}

  private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
  private static final Duration TO_RETRY_AN_END = Duration.ofMillis(200);

  /**
   * For the locks of all jobs. One is held for some milliseconds as a rule; if it takes longer, the
   * next check reaps.
   */
  private static final Duration TO_WAIT = Duration.ofSeconds(1);

  void sweep() {
    BoundedWait forLocks = BoundedWait.of(TO_WAIT);
    List<Thread> retries = new ArrayList<>();
    for (NativeJob job : known.byId().values()) {
      switch (job.state()) {
        case CLOSING -> endAgain(job).ifPresent(retries::add);
        case SUSPENDED -> {
          suspension.keep(job);
          hold(job);
        }
        case OPEN -> {
          incidents.look(job.job());
          accounts.sample(job.job());
          reaper.reap(job, forLocks);
          hold(job);
        }
        case BEGINNING, CLOSED -> {}
      }
    }
    await(retries);
    unowned.clear();
  }

  /**
   * Puts back limits and devices that drifted. Not while something else is at the job: the next
   * time will do.
   */
  private void hold(NativeJob job) {
    if (!job.lock.tryLock()) {
      return;
    }
    try {
      if (job.state() == JobState.OPEN || job.state() == JobState.SUSPENDED) {
        limiting.hold(job, known.list()::incident);
        devices.hold(job, known.list()::incident);
      }
    } finally {
      job.lock.unlock();
    }
  }

  /** On a thread of its own: the checks of other jobs do not wait for it. */
  private Optional<Thread> endAgain(NativeJob job) {
    var _ = ends.unkillable().look(job);
    boolean loggedOrAtWork = ends.heldUp().look(job) || job.atWork().isPresent();
    if (loggedOrAtWork || !job.grace().left().isZero()) {
      return Optional.empty();
    }
    return Optional.of(
        Ending.thread(
            job,
            () -> {
              if (ends.ending().again(job, TO_RETRY_AN_END) instanceof EndResult.Clean) {
                LOG.log(INFO, "job {0} is ended after a delay", job.id());
              }
            }));
  }

  /** A little, and no longer for many than for one: those that hang have their next turn anyway. */
  private static void await(List<Thread> retries) {
    long until = System.nanoTime() + TO_RETRY_AN_END.multipliedBy(2).toNanos();
    try {
      for (Thread retry : retries) {
        if (!retry.join(Duration.ofNanos(Math.max(0, until - System.nanoTime())))) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
