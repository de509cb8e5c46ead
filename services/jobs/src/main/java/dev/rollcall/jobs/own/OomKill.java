package dev.rollcall.jobs.own;

/**
 * The site's rule for an OOM kill: the kernel ends one process, or all processes of the step or the
 * job.
 */
public enum OomKill {
  /** That process alone. */
  PROCESS,
  /** All processes of its step; in a session only that process. */
  STEP,
  /** All processes of the job, those of sessions too. */
  JOB
}
