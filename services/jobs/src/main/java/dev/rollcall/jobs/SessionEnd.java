package dev.rollcall.jobs;

/** What becomes of the processes that a session leaves behind when it is closed. */
public enum SessionEnd {
  /** They stay in the job until it ends, as those of MPI's remote daemons must. */
  KEEP,
  /** They are killed. */
  KILL
}
