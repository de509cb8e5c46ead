package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.usage.JobIncidents;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Clears cgroups that are named like a job's and belong to no known job. One whose processes,
 * besides root's, belong to one user becomes a job again. In others all processes are killed, and
 * the cgroup is removed.
 */
record UnownedCgroups(
    KnownJobs known,
    JobTree tree,
    Restart restart,
    JobIncidents incidents,
    Consumer<NativeJob> forget) {
  private static final System.Logger LOG = System.getLogger(UnownedCgroups.class.getName());

  void clear() {
    try {
      for (JobId id : tree.directories()) {
        clear(id);
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the directories of jobs: {0}", e.getMessage());
    }
  }

  /** Clears a directory that no job has away. Meanwhile no job with this id can begin. */
  private void clear(JobId id) {
    Job nobodys = new Job(id, 0, 0, Instant.EPOCH, JobState.CLOSING);
    NativeJob holder = new NativeJob(nobodys, Allocation.NONE, known.list());
    holder.locked(() -> {
      if (known.byId().putIfAbsent(id, holder) == null) {
        clear(holder);
      }
    });
  }

  private void clear(NativeJob holder) {
    JobId id = holder.id();
    Optional<NativeJob> found = Optional.empty();
    try {
      found = restart.unowned(id);
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot remove the directory of job {0}, which is not known: {1}",
          id,
          e.getMessage());
    }
    holder.vanish();
    found.ifPresentOrElse(
        job -> {
          job.publish();
          known.byId().replace(id, holder, job);
          incidents.watch(job.job(), false);
        },
        () -> forget.accept(holder));
  }
}
