package dev.rollcall.agent.login.file;

import dev.rollcall.agent.login.caller.PendingCaller;
import dev.rollcall.agent.login.file.UserFile.Expected;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/**
 * Pending callers by the job that they lead to. What is heard of them is kept until {@link
 * #takeIn}, so that whoever tells waits for nobody; all but telling is one thread's at a time.
 */
final class ExpectedCallers {
  /** As many as {@link dev.rollcall.agent.login.caller.PendingCallers} keeps. */
  private static final int MOST_NEWS = 16_384;

  static final int MANY_NEWS = 1_024;

  private record Entry(Expected expected, int callerUid) {}

  /** Each changes the maps, and says of which job. */
  private final Queue<Supplier<Optional<JobId>>> news = new LinkedBlockingQueue<>();

  private final Map<JobId, Map<Connection, Entry>> byJob = new HashMap<>();
  private final Map<Connection, JobId> jobs = new HashMap<>();
  private volatile boolean overflown;

  /** Tells of a caller. One that is in no job and asks for none leads to none. */
  void expect(PendingCaller pending, long nowNanos) {
    hear(() -> add(pending, nowNanos));
  }

  /** Tells that a caller is expected no more. */
  void settled(Connection call) {
    hear(() -> remove(call));
  }

  private void hear(Supplier<Optional<JobId>> change) {
    if (news.size() < MOST_NEWS) {
      news.add(change);
    } else {
      overflown = true;
    }
  }

  /** How much was told and not taken in. */
  int news() {
    return news.size();
  }

  /**
   * Takes in what was told. If it was too much, nobody is expected: of several jobs the agent is
   * asked.
   *
   * @return the jobs whose callers changed
   */
  Set<JobId> takeIn() {
    Set<JobId> changed = new HashSet<>();
    for (var change = news.poll(); change != null; change = news.poll()) {
      change.get().ifPresent(changed::add);
    }
    if (overflown) {
      overflown = false;
      changed.addAll(byJob.keySet());
      byJob.clear();
      jobs.clear();
    }
    return changed;
  }

  private Optional<JobId> add(PendingCaller pending, long nowNanos) {
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

  private Optional<JobId> remove(Connection call) {
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
