package dev.rollcall.jobs.own;

/** The site's rule for the processes of a job that get SIGTERM when it ends. */
public enum EndSignal {
  /** Every process. */
  ALL,
  /**
   * Only those whose parent is not in the job: a step's command and a session's sshd. They end
   * their children, or the kill after the grace does.
   */
  CHILDREN
}
