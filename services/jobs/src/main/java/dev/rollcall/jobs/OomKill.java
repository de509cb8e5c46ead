package dev.rollcall.jobs;

/** What ends when the kernel kills a process because a memory limit was reached. */
public enum OomKill {
  /** That process alone. */
  PROCESS,
  /** All processes of its step; in a session only that process. */
  STEP,
  /** All processes of the job, those of sessions too. */
  JOB
}
