package dev.rollcall.testkit.jobs;

import dev.rollcall.model.JobState;

/** The result of a {@link JobDeed}. */
sealed interface JobAnswer {
  /** It was done, and the job was in this state then; CLOSED is a job that is not there. */
  record Done(JobState state) implements JobAnswer {}

  /** It was refused, since the job was in this state. */
  record Refused(JobState state) implements JobAnswer {}

  record Lives(boolean yes) implements JobAnswer {}

  /** Nothing that the specification knows. */
  record Other(String what) implements JobAnswer {}
}
