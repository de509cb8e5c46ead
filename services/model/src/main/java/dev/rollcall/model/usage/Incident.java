package dev.rollcall.model.usage;

import dev.rollcall.model.JobStep;
import dev.rollcall.model.Worded;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * An incident of a job, such as an OOM kill or a refused fork.
 *
 * @param session whose leaf it was, if it was one
 * @param times how often since it was told last
 * @param what for people: names the limit or the process
 */
public record Incident(
    Kind kind, JobStep step, OptionalLong session, long times, Instant at, String what) {
  /** What happened to them. */
  public enum Kind implements Worded {
    /** The kernel killed a process because memory.max was reached. */
    OOM_KILL,
    /** pids.max refused a fork. */
    PIDS_REFUSED,
    /** A process left the job's cgroup by its own doing, for example by systemd-run --user. */
    ESCAPED,
    /** Something else changed what Rollcall had set; it was put back. */
    DRIFTED
  }

  /** Of a step, or with its extern step of a job as a whole; now, and once. */
  public static Incident drifted(JobStep step, String what) {
    return new Incident(Kind.DRIFTED, step, OptionalLong.empty(), 1, Instant.now(), what);
  }
}
