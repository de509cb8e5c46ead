package dev.rollcall.agent.login;

import dev.rollcall.agent.event.PendingCaller;
import dev.rollcall.agent.login.UserFile.Expected;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pending callers by the job that they lead to. As many as the board has, which says when one goes.
 * Not thread-safe.
 */
final class ExpectedCallers {
  private record Entry(Expected expected, int callerUid) {}

  private final Map<JobId, Map<Connection, Entry>> byJob = new HashMap<>();
  private final Map<Connection, JobId> jobs = new HashMap<>();

  /**
   * Takes one in.
   *
   * @return the job that it leads to; empty: none, for it is in no job and asks for none
   */
  Optional<JobId> add(PendingCaller pending, long nowNanos) {
    Caller caller = pending.caller();
    Optional<JobId> in = caller.membership().jobStep().map(step -> step.job());
    Optional<JobId> job = in.or(caller::chosen);
    job.ifPresent(id -> {
      remove(pending.connection());
      long until = nowNanos + pending.keep().toNanos();
      var expected =
          new Expected(pending.connection().flipped(), id, in.isEmpty(), nowNanos, until);
      byJob
          .computeIfAbsent(id, _ -> new LinkedHashMap<>())
          .put(pending.connection(), new Entry(expected, caller.uid()));
      jobs.put(pending.connection(), id);
    });
    return job;
  }

  /**
   * Drops one.
   *
   * @return the job that it led to
   */
  Optional<JobId> remove(Connection call) {
    Optional<JobId> job = Optional.ofNullable(jobs.remove(call));
    job.ifPresent(id ->
        byJob.computeIfPresent(
            id,
            (_, entries) -> {
              entries.remove(call);
              return entries.isEmpty() ? null : entries;
            }));
    return job;
  }

  /** Those for a user's jobs, the latest last. A call asks for a job of its own user's alone. */
  List<Expected> of(int uid, Collection<JobId> own) {
    var found = new ArrayList<Expected>();
    for (JobId job : own) {
      byJob.getOrDefault(job, Map.of()).values().stream()
          .filter(entry -> !entry.expected().chosen() || entry.callerUid() == uid)
          .forEach(entry -> found.add(entry.expected()));
    }
    found.sort((one, other) -> Long.compare(one.announcedNanos(), other.announcedNanos()));
    return found;
  }
}
