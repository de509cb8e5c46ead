package dev.rollcall.port;

import dev.rollcall.model.JobId;
import dev.rollcall.model.ProcessRef;
import java.time.Instant;

/**
 * A session whose own process entered the job: the PAM module moved it, without the agent.
 *
 * @param process that moved; it may have ended since
 * @param hierarchy "" for v2, else a v1 controller
 * @param cgroup where it is, as {@code /proc/PID/cgroup} shows it in that hierarchy
 */
public record JoinedSession(
    JobId job, ProcessRef process, String hierarchy, String cgroup, Instant at) {}
