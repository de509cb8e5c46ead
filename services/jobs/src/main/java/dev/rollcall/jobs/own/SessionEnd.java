package dev.rollcall.jobs.own;

/** The site's rule for processes that a closed session leaves behind. */
public enum SessionEnd {
  /** They stay in the job until it ends, as those of MPI's remote daemons must. */
  KEEP,
  /** They are killed. */
  KILL
}
