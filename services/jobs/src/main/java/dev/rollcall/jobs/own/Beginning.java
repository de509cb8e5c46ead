package dev.rollcall.jobs.own;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.journal.JobJournalLine;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.JobIncidents;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.util.Optional;

/** Begins a job: makes all of its parts, or none of them. */
record Beginning(
    KnownJobs known,
    Leaves leaves,
    JobJournal journal,
    String bootId,
    Limiting limiting,
    Devices devices,
    Containment containment,
    JobIncidents incidents,
    Ending ending) {
  BeginResult begin(JobSpec asked) {
    JobSpec spec =
        new JobSpec(
            asked.id(),
            asked.uid(),
            asked.gid(),
            asked.startedAt(),
            limiting.allowed(asked.allocation()),
            asked.container());
    Job job = spec.job(JobState.BEGINNING);
    while (true) {
      NativeJob fresh = new NativeJob(job, spec.allocation(), known.list());
      fresh.lock.lock();
      try {
        NativeJob before = known.byId().putIfAbsent(spec.id(), fresh);
        if (before == null) {
          return begun(fresh, spec);
        }
        Optional<BeginResult> result = again(before, spec);
        if (result.isPresent()) {
          return result.get();
        }
      } finally {
        fresh.lock.unlock();
      }
    }
  }

  private BeginResult begun(NativeJob job, JobSpec spec) {
    job.publish();
    try {
      devices.begin(job);
      containment.create(job.job(), spec);
      leaves.makeJob(spec.id());
      limiting.begin(job);
      journal.append(new JobJournalLine.Begin(spec, bootId));
    } catch (IOException e) {
      ending.undo(job);
      return new BeginResult.Refused("job " + spec.id() + ": " + e.getMessage());
    }
    incidents.watch(job.job(), true);
    job.become(JobState.OPEN);
    return new BeginResult.Begun(job.job());
  }

  /** Empty: the job ended between the look at the map and the lock. */
  private Optional<BeginResult> again(NativeJob before, JobSpec spec) {
    return before.locked(() ->
        switch (before.state()) {
          case CLOSED -> Optional.empty();
          case CLOSING -> Optional.of(new BeginResult.Refused("job " + spec.id() + " is ending"));
          case BEGINNING, OPEN, SUSPENDED -> Optional.of(same(before, spec));
        });
  }

  private static BeginResult same(NativeJob before, JobSpec spec) {
    Job job = before.job();
    if (job.uid() != spec.uid()) {
      return new BeginResult.Refused(
          "job %s belongs to uid %d here, not to uid %d"
              .formatted(job.id(), job.uid(), spec.uid()));
    }
    return has(before.allocation(), spec.allocation())
        ? new BeginResult.Begun(job)
        : new BeginResult.Refused(
            ("job %s is open with other limits or devices;"
                    + " 'rollcall job limit' and 'rollcall job devices' change them")
                .formatted(job.id()));
  }

  /** Whether the limits and devices that are asked for are those that there are. */
  private static boolean has(Allocation now, Allocation asked) {
    Limits limits = now.limits();
    return limits.with(asked.limits()).equals(limits.with(limits))
        && (asked.devices().kind() == Kind.OPEN || asked.devices().equals(now.devices()));
  }
}
