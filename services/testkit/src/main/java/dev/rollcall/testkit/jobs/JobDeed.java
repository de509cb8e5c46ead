package dev.rollcall.testkit.jobs;

/** The operations of a {@link JobHistory} on its job. */
sealed interface JobDeed {
  /** Answered with the state the job is in then. */
  record Begin() implements JobDeed {}

  /** Each process is adopted once. */
  record Adopt(int process) implements JobDeed {}

  record End() implements JobDeed {}

  record Suspend() implements JobDeed {}

  record Resume() implements JobDeed {}

  /** The job's state in the node's list. */
  record Look() implements JobDeed {}

  /** Whether a process lives. */
  record Pulse(int process) implements JobDeed {}
}
