package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupMeasures;
import dev.rollcall.linux.cgroup.CgroupUsage;
import dev.rollcall.model.Job;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Reads the usage of Slurm's job and its steps from Slurm's cgroups. All sessions are in one of
 * them. The start of a step is unknown, so it is the job's. Slurm's accounting has the final
 * values.
 */
record SlurmUsage(SlurmCgroups cgroups) {
  /** The job, then its steps: the extern step first. Empty while it is not known where they are. */
  List<UsageRecord> of(Job job) throws IOException {
    if (cgroups.place(job.id()).isEmpty()) {
      return List.of();
    }
    List<UsageRecord> records = new ArrayList<>();
    records.add(record(job, Optional.empty()));
    for (StepId step : cgroups.steps(job.id()).stream().sorted(StepId.EXTERN_FIRST).toList()) {
      records.add(record(job, Optional.of(step)));
    }
    return records;
  }

  /** Measures the job, then its steps; sessions have no cgroup of their own. */
  void measure(Job job, MeasureDepth depth, Consumer<Measured> each) throws IOException {
    measure(job, Optional.empty()).ifPresent(each);
    if (depth.has(MeasureDepth.STEPS)) {
      for (StepId step : cgroups.steps(job.id())) {
        measure(job, Optional.of(step)).ifPresent(each);
      }
    }
  }

  private Optional<Measured> measure(Job job, Optional<StepId> step) throws IOException {
    return CgroupMeasures.read(cgroups.files(job.id(), step), Carried.UNKNOWN)
        .map(it -> new Measured(job.id(), step, OptionalLong.empty(), job.startedAt(), it));
  }

  private UsageRecord record(Job job, Optional<StepId> step) throws IOException {
    return new UsageRecord(
        step.isPresent() ? Kind.STEP : Kind.JOB,
        job.id(),
        step,
        OptionalLong.empty(),
        job.uid(),
        job.startedAt(),
        Optional.empty(),
        CgroupUsage.read(cgroups.files(job.id(), step), Carried.UNKNOWN));
  }
}
