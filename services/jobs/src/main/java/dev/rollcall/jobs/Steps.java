package dev.rollcall.jobs;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.util.Optional;

/** Makes the steps that the batch system begins itself. Runs under the job's lock. */
record Steps(JobTree tree, Leaves leaves) {
  StepResult begin(NativeJob job, Optional<StepId> wanted) {
    if (job.state() != JobState.OPEN) {
      return new StepResult.Refused(job.standing());
    }
    if (wanted.equals(Optional.of(StepId.EXTERN))) {
      return new StepResult.Refused("step " + job.id() + ".extern began with its job");
    }
    try {
      JobStep step = new JobStep(job.id(), wanted.isPresent() ? wanted.get() : next(job.id()));
      leaves.makeLeaf(step, Leaves.TASK);
      return new StepResult.Made(
          step,
          tree.hierarchies().stream()
              .map(hierarchy -> hierarchy.leaf(step, Leaves.TASK).procsFile())
              .toList());
    } catch (IOException e) {
      return new StepResult.Refused("step of job " + job.id() + ": " + e.getMessage());
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
