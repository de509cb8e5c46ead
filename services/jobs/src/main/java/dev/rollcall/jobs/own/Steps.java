package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.Beginnings;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Makes the steps that the batch system begins itself. Runs under the job's lock. */
record Steps(
    JobTree tree,
    Leaves leaves,
    Limiting limiting,
    Devices devices,
    Containment containment,
    InstantSource clock) {
  private static final Duration TO_UNDO = Duration.ofMillis(500);

  StepResult begin(NativeJob job, Optional<StepId> wanted, Limits limits, DeviceRules rules) {
    if (job.state() != JobState.OPEN) {
      return new StepResult.Refused(job.standing());
    }
    if (wanted.equals(Optional.of(StepId.EXTERN))) {
      return new StepResult.Refused("step " + job.id() + ".extern began with its job");
    }
    try {
      JobStep step = new JobStep(job.id(), wanted.isPresent() ? wanted.get() : next(job.id()));
      begin(job, step, limits, rules);
      return new StepResult.Made(
          step,
          tree.hierarchies().stream()
              .map(hierarchy -> hierarchy.leaf(step, Leaves.TASK).procsFile())
              .toList(),
          job.setup(),
          containment.ofStep(job.id()));
    } catch (IOException e) {
      return new StepResult.Refused("step of job " + job.id() + ": " + e.getMessage());
    }
  }

  /** A step that was not there before and cannot be limited is not there afterwards. */
  private void begin(NativeJob job, JobStep step, Limits limits, DeviceRules rules)
      throws IOException {
    boolean fresh = !tree.identity().user(step).exists();
    try {
      devices.beginStep(job, step.step(), rules);
      leaves.makeLeaf(step, Leaves.TASK);
      limiting.beginStep(job, step.step(), limits);
      if (fresh) {
        Beginnings.note(tree.identity().step(step), clock.instant());
      }
    } catch (IOException e) {
      if (fresh) {
        for (Hierarchy hierarchy : tree.hierarchies()) {
          CgroupDirectory top = hierarchy.job(job.id()).child(JobPath.directory(step.step()));
          CgroupRemoval.remove(top, BoundedWait.of(TO_UNDO));
        }
      }
      throw e;
    }
  }

  /** Steps keep their directories until the job ends, so the numbers in use are there to see. */
  private StepId next(JobId id) throws IOException {
    long last =
        leaves.steps(id).stream()
            .map(StepId::text)
            .filter(text -> text.matches("[0-9]+"))
            .mapToLong(Long::parseLong)
            .max()
            .orElse(-1);
    return StepId.of(last + 1);
  }
}
