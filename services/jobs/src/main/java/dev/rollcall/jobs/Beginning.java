package dev.rollcall.jobs;

import dev.rollcall.jobs.journal.Journal;
import dev.rollcall.jobs.journal.JournalLine;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.Mishaps;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.cgroup.Patience;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** How a job begins: all of its things, or none of them. */
final class Beginning {
  private static final Duration TO_UNDO = Duration.ofMillis(500);

  private final Map<JobId, NativeJob> jobs;
  private final JobList list;
  private final JobTree tree;
  private final Leaves leaves;
  private final Journal journal;
  private final String bootId;
  private final Limiting limiting;
  private final Devices devices;
  private final Containment containment;
  private final Mishaps mishaps;
  private final Ending ending;

  Beginning(
      Map<JobId, NativeJob> jobs,
      JobList list,
      JobTree tree,
      Leaves leaves,
      Journal journal,
      String bootId,
      Limiting limiting,
      Devices devices,
      Containment containment,
      Mishaps mishaps,
      Ending ending) {
    this.jobs = jobs;
    this.list = list;
    this.tree = tree;
    this.leaves = leaves;
    this.journal = journal;
    this.bootId = bootId;
    this.limiting = limiting;
    this.devices = devices;
    this.containment = containment;
    this.mishaps = mishaps;
    this.ending = ending;
  }

  BeginResult begin(JobSpec asked) {
    JobSpec spec =
        new JobSpec(
            asked.id(),
            asked.uid(),
            asked.gid(),
            asked.startedAt(),
            limiting.allowed(asked.allocation()));
    Job job = new Job(spec.id(), spec.uid(), spec.gid(), spec.startedAt(), JobState.BEGINNING);
    while (true) {
      NativeJob fresh = new NativeJob(job, spec.allocation(), list);
      fresh.lock.lock();
      try {
        NativeJob known = jobs.putIfAbsent(spec.id(), fresh);
        if (known == null) {
          return begun(fresh, spec);
        }
        Optional<BeginResult> result = again(known, spec);
        if (result.isPresent()) {
          return result.get();
        }
      } finally {
        fresh.lock.unlock();
      }
    }
  }

  private BeginResult begun(NativeJob job, JobSpec spec) {
    job.appear();
    try {
      devices.begin(job);
      containment.create(job.job(), tree);
      leaves.makeJob(spec.id());
      limiting.begin(job);
      journal.append(new JournalLine.Begin(spec, bootId));
    } catch (IOException e) {
      tree.hierarchies()
          .forEach(each -> CgroupRemoval.remove(each.job(spec.id()), Patience.of(TO_UNDO)));
      containment.undo(job.job());
      ending.close(job);
      return new BeginResult.Refused("job " + spec.id() + ": " + e.getMessage());
    }
    mishaps.watch(job.job(), true);
    job.become(JobState.OPEN);
    return new BeginResult.Begun(job.job());
  }

  /** Empty: the job ended between the look at the map and the lock. */
  private Optional<BeginResult> again(NativeJob known, JobSpec spec) {
    known.lock.lock();
    try {
      return switch (known.state()) {
        case CLOSED -> Optional.empty();
        case CLOSING -> Optional.of(new BeginResult.Refused("job " + spec.id() + " is ending"));
        case BEGINNING, OPEN, SUSPENDED -> Optional.of(sameOwner(known.job(), spec));
      };
    } finally {
      known.lock.unlock();
    }
  }

  private static BeginResult sameOwner(Job job, JobSpec spec) {
    return job.uid() == spec.uid()
        ? new BeginResult.Begun(job)
        : new BeginResult.Refused(
            "job %s is uid %d's here, not uid %d's".formatted(job.id(), job.uid(), spec.uid()));
  }
}
