package dev.rollcall.model;

import java.util.Optional;

/** The job and step of a process, or the fact that it is in no job. */
public sealed interface Membership {
  /** The process belongs to this step. */
  record InJob(JobStep step) implements Membership {}

  /** The process is known to be in no job, for example a shell on a login node. */
  record NoJob() implements Membership {}

  /** In this step; without one in no job. */
  static Membership of(Optional<JobStep> step) {
    return step.<Membership>map(InJob::new).orElseGet(NoJob::new);
  }

  /** The step, if there is one. */
  default Optional<JobStep> jobStep() {
    return this instanceof InJob(JobStep step) ? Optional.of(step) : Optional.empty();
  }
}
