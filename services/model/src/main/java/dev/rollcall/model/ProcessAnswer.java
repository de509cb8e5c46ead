package dev.rollcall.model;

import java.time.Instant;

/** The result of a query for a process. "In no job" and "unknown" are different answers. */
public sealed interface ProcessAnswer {
  /**
   * The node reported the process in a job.
   *
   * @param uid of the job's owner
   * @param seenAt when the node last saw it there
   * @param stale true when the node's lease ended since
   */
  record InJob(ProcessRef process, JobStep job, int uid, Instant seenAt, boolean stale)
      implements ProcessAnswer {}

  /**
   * The process was in none of the node's jobs.
   *
   * @param seenAt when that was so
   */
  record InNoJob(Instant seenAt) implements ProcessAnswer {}

  /**
   * The process may be in a job or not.
   *
   * @param reason for people: what is missing
   */
  record Unknown(String reason) implements ProcessAnswer {}
}
