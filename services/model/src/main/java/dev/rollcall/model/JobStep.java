package dev.rollcall.model;

import static java.util.Objects.requireNonNull;

/** A job and one of its steps. */
public record JobStep(JobId job, StepId step) {
  public JobStep {
    requireNonNull(job, "job");
    requireNonNull(step, "step");
  }

  /** As Slurm writes it: {@code 42.extern}. */
  @Override
  public String toString() {
    return job + "." + step;
  }
}
