package dev.rollcall.model;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** Where a process stands: in a step of a job, or known to be in none. */
public sealed interface Membership {
  /** The process belongs to this step. */
  record InJob(JobStep step) implements Membership {
    public InJob {
      requireNonNull(step, "step");
    }
  }

  /** The process is known to be in no job, for example a shell on a login node. */
  record NoJob() implements Membership {}

  /** The step, if there is one. */
  default Optional<JobStep> jobStep() {
    return this instanceof InJob(JobStep step) ? Optional.of(step) : Optional.empty();
  }
}
