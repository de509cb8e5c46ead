package dev.rollcall.model;

/** A job and one of its steps. */
public record JobStep(JobId job, StepId step) {

  /** As Slurm writes it: {@code 42.extern}. */
  @Override
  public String toString() {
    return job + "." + step;
  }
}
