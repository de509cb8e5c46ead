package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.jobs.usage.Mishaps;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.EndResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What is looked after now and then: leaves, limits, and ends that did not come about. */
final class Upkeep {
  private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
  private static final Duration TO_RETRY_AN_END = Duration.ofMillis(200);

  private final Map<JobId, NativeJob> jobs;
  private final JobList list;
  private final JobTree tree;
  private final Leaves leaves;
  private final LastAccounts lastAccounts;
  private final Mishaps mishaps;
  private final Limiting limiting;
  private final Devices devices;
  private final Suspension suspension;
  private final Ending ending;
  private final Restart restart;
  private final Consumer<NativeJob> forget;

  Upkeep(
      Map<JobId, NativeJob> jobs,
      JobList list,
      JobTree tree,
      Leaves leaves,
      LastAccounts lastAccounts,
      Mishaps mishaps,
      Limiting limiting,
      Devices devices,
      Suspension suspension,
      Ending ending,
      Restart restart,
      Consumer<NativeJob> forget) {
    this.jobs = jobs;
    this.list = list;
    this.tree = tree;
    this.leaves = leaves;
    this.lastAccounts = lastAccounts;
    this.mishaps = mishaps;
    this.limiting = limiting;
    this.devices = devices;
    this.suspension = suspension;
    this.ending = ending;
    this.restart = restart;
    this.forget = forget;
  }

  void sweep() {
    for (NativeJob job : jobs.values()) {
      switch (job.state()) {
        case CLOSING -> endAgain(job);
        case SUSPENDED -> {
          suspension.keep(job);
          holdLimits(job);
        }
        case OPEN -> {
          mishaps.look(job.job());
          reapSessions(job);
          holdLimits(job);
        }
        case BEGINNING, CLOSED -> reapSessions(job);
      }
    }
    try {
      for (JobId id : tree.directories()) {
        clear(id);
      }
    } catch (IOException e) {
      LOG.log(WARNING, "directories of jobs: {0}", e.getMessage());
    }
  }

  private void endAgain(NativeJob job) {
    if (job.graceLeft().isZero() && ending.again(job, TO_RETRY_AN_END) instanceof EndResult.Clean) {
      LOG.log(INFO, "job {0} is ended at last", job.id());
    }
  }

  /** Clears a directory that no job has away. Meanwhile no job with this id can begin. */
  private void clear(JobId id) {
    Job nobodys = new Job(id, 0, 0, Instant.EPOCH, JobState.CLOSING);
    NativeJob holder = new NativeJob(nobodys, Allocation.NONE, list);
    holder.lock.lock();
    try {
      if (jobs.putIfAbsent(id, holder) == null) {
        clear(holder);
      }
    } finally {
      holder.lock.unlock();
    }
  }

  private void clear(NativeJob holder) {
    JobId id = holder.id();
    Optional<Restart.Found> found = Optional.empty();
    try {
      found = restart.stray(id);
    } catch (IOException e) {
      LOG.log(WARNING, "directory of job {0}, which is not known: {1}", id, e.getMessage());
    }
    holder.vanish();
    found.ifPresentOrElse(
        job -> {
          jobs.replace(id, holder, job.in(list));
          mishaps.watch(job.job(), false);
        },
        () -> forget.accept(holder));
  }

  /** Not while something else is at the job: the next sweep will do. */
  private void holdLimits(NativeJob job) {
    if (!job.lock.tryLock()) {
      return;
    }
    try {
      if (job.state() == JobState.OPEN || job.state() == JobState.SUSPENDED) {
        limiting.hold(job, list::befell);
        devices.hold(job, list::befell);
      }
    } finally {
      job.lock.unlock();
    }
  }

  /** Not while an adoption is at it: the next occasion will do. */
  void reapSessions(NativeJob job) {
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
