package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of a user that is in no job.
 *
 * @param command the kernel's short name, which the process chooses
 * @param cgroup its path in the node's tree
 * @param session the one that it descends from, if it is remembered
 */
public record OutsideProcess(
    ProcessRef process,
    int uid,
    String command,
    Instant startedAt,
    Origin origin,
    String cgroup,
    Optional<Adoption> session,
    Optional<Attributed> attributed,
    Plan plan) {
  /** How it came to be where it is. */
  public enum Origin {
    CRON,
    AT,
    USER_MANAGER,
    SSH,
    LOGIN,
    LEFT_OVER,
    UNKNOWN
  }

  /** The fact by which its job is known. */
  public enum By {
    /** A process that it descends from is there. */
    LINEAGE,
    /** The decision about its session. */
    SESSION,
    /** The call that brought its session. */
    CALL
  }

  /** A job of the process's own user. */
  public record Attributed(JobId job, By by) {}

  /** The agent's action for such a process once its user has a job here. */
  public enum Plan {
    NOTHING,
    ADOPT,
    END
  }

  public OutsideProcess attributed(Attributed to) {
    return new OutsideProcess(
        process, uid, command, startedAt, origin, cgroup, session, Optional.of(to), plan);
  }
}
