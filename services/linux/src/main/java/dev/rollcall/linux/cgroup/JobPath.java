package dev.rollcall.linux.cgroup;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.util.Optional;

/**
 * Parses the job of a cgroup path below the one cgroup that contains the jobs' directories: {@code
 * <root>/job_<id>/step_<name>/...}. Only the directory right below the root names the job, because
 * only root can make one there; the same names deeper down, or below a cgroup that was delegated to
 * a user, mean nothing.
 *
 * @param root as {@code /proc/PID/cgroup} writes it, without a slash at its end
 */
public record JobPath(String root) {
  private static final String JOB = "job_";
  private static final String STEP = "step_";

  public JobPath {
    if (!root.startsWith("/") || root.endsWith("/")) {
      throw new IllegalArgumentException("'" + root + "' is not the path of a cgroup of jobs");
    }
  }

  public static String directory(JobId job) {
    return JOB + job;
  }

  public static String directory(StepId step) {
    return STEP + step;
  }

  /** The job whose directory has this name, if it is the name of one. */
  public static Optional<JobId> jobOf(String name) {
    return name.startsWith(JOB) ? JobId.find(name.substring(JOB.length())) : Optional.empty();
  }

  /** The step whose directory has this name, if it is the name of one. */
  public static Optional<StepId> stepOf(String name) {
    if (!name.startsWith(STEP)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new StepId(name.substring(STEP.length())));
    } catch (IllegalArgumentException notAStep) {
      return Optional.empty();
    }
  }

  /**
   * The step of a path below a job's directory, {@code step_0/user/...}. What is in none of the
   * job's steps counts as the extern step's.
   */
  public static StepId stepBelow(String path) {
    return stepOf(path.split("/", 2)[0]).orElse(StepId.EXTERN);
  }

  /**
   * The step that a process at this path belongs to. What is in a job's directory but in none of
   * its steps is in the job all the same, limited and killed with it: it counts as the extern
   * step's.
   */
  public Optional<JobStep> jobStepOf(String path) {
    if (!path.startsWith(root + "/")) {
      return Optional.empty();
    }
    String[] names = path.substring(root.length() + 1).split("/", 2);
    StepId step = stepBelow(names.length > 1 ? names[1] : "");
    return jobOf(names[0]).map(job -> new JobStep(job, step));
  }
}
