package dev.rollcall.jobs.limits;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.util.Optional;

/**
 * The job or step to which limits apply.
 *
 * @param step absent: the job as a whole
 */
public record LimitTarget(JobId job, Optional<StepId> step) {
  /** A step is limited where its tasks are, so that nothing of ours is limited with them. */
  public CgroupDirectory in(Hierarchy hierarchy) {
    return step.isPresent() ? hierarchy.user(new JobStep(job, step.get())) : hierarchy.job(job);
  }

  @Override
  public String toString() {
    return step.isPresent() ? "step " + new JobStep(job, step.get()) : "job " + job;
  }
}
