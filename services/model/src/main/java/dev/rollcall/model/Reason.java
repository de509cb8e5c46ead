package dev.rollcall.model;

/**
 * The reason for a decision. The same word stands in the log, in metrics and in the session's
 * environment; docs/adoption.md lists them all.
 */
public enum Reason implements Worded {
  /** The exemption for uid 0. */
  ROOT,
  /** Another PAM service than the ones this module is for. */
  OTHER_SERVICE,
  /** The user chose this job. */
  CHOSEN_JOB,
  /** The user has one job here. */
  ONLY_JOB,
  /** The caller's job, which is here and the user's own. */
  CALLER_JOB,
  /** The newest of several: the caller is not known. */
  NEWEST_JOB,
  /** Several jobs, and the caller is known: it is in none of them. */
  CALLER_ELSEWHERE,
  /** The user has no job here. */
  NO_JOBS,
  /** The user's only jobs here are still beginning. */
  JOB_STARTING,
  /** The job that was decided on is suspended. */
  JOB_SUSPENDED,
  /** Several jobs, and the caller is not known. */
  CALLER_UNKNOWN,
  /** The process could not be moved into the job. */
  ADOPT_FAILURE,
  /** The agent could not do its work. */
  GENERIC_FAILURE
}
