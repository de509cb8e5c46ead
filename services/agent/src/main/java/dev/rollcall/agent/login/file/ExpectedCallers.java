package dev.rollcall.agent.login.file;

import dev.rollcall.agent.login.file.UserFile.Expected;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import java.time.Duration;
import java.util.ArrayList;
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
 * Pending callers by the job that they lead to, and by their users. Reports are queued until {@link
 * #takeIn}, so that a report never waits. Any thread may report; the rest is used by one thread at
 * a time.
 */
final class ExpectedCallers {
  /** As many as {@link dev.rollcall.agent.login.caller.PendingCallers} keeps. */
  private static final int MOST_NEWS = 16_384;

  static final int MANY_NEWS = 1_024;

  private record Entry(Expected expected, int callerUid) {}

  /**
   * The user and the job whose files a caller concerns.
   *
   * @param job that the caller leads to: it may be another user's
   */
  record Concerned(int callerUid, Optional<JobId> job) {}

  /** Each changes the maps, and returns whom it concerns. */
  private final Queue<Supplier<Optional<Concerned>>> news = new LinkedBlockingQueue<>();

  private final Map<Connection, Entry> entries = new HashMap<>();
  private final Map<JobId, Map<Connection, Entry>> byJob = new HashMap<>();
  private final Map<Integer, Map<Connection, Entry>> byUid = new HashMap<>();
  private volatile boolean overflown;

  /**
   * @param keep how long the caller is expected from now
   */
  void expect(Connection call, Caller caller, Duration keep, long nowNanos) {
    hear(() -> add(call, caller, nowNanos, nowNanos + keep.toNanos()));
  }

  /** Reports that a caller is expected no more. */
  void settled(Connection call) {
    hear(() -> remove(call));
  }

  private void hear(Supplier<Optional<Concerned>> change) {
    if (news.size() < MOST_NEWS) {
      news.add(change);
    } else {
      overflown = true;
    }
  }

  /** How much was reported and not taken in. */
  int news() {
    return news.size();
  }

  /**
   * Takes in what was reported. If it was too much, nobody is expected: of several jobs the agent
   * is asked.
   *
   * @return whose callers changed
   */
  Set<Concerned> takeIn() {
    Set<Concerned> changed = new HashSet<>();
    for (var change = news.poll(); change != null; change = news.poll()) {
      change.get().ifPresent(changed::add);
    }
    if (overflown) {
      overflown = false;
      entries.values().forEach(entry -> changed.add(concerned(entry)));
      entries.clear();
      byJob.clear();
      byUid.clear();
    }
    return changed;
  }

  private Optional<Concerned> add(Connection call, Caller caller, long nowNanos, long untilNanos) {
    remove(call);
    Optional<JobId> in = caller.membership().jobStep().map(step -> step.job());
    Optional<JobId> job = in.or(caller::chosen);
    boolean chosen = in.isEmpty() && job.isPresent();
    var expected = new Expected(call.flipped(), job, chosen, nowNanos, untilNanos);
    var entry = new Entry(expected, caller.uid());
    entries.put(call, entry);
    job.ifPresent(id -> put(byJob, id, call, entry));
    put(byUid, caller.uid(), call, entry);
    return Optional.of(concerned(entry));
  }

  private Optional<Concerned> remove(Connection call) {
    return Optional.ofNullable(entries.remove(call))
        .map(entry -> {
          entry.expected().job().ifPresent(id -> remove(byJob, id, call));
          remove(byUid, entry.callerUid(), call);
          return concerned(entry);
        });
  }

  private static Concerned concerned(Entry entry) {
    return new Concerned(entry.callerUid(), entry.expected().job());
  }

  private static <K> void put(
      Map<K, Map<Connection, Entry>> index, K key, Connection call, Entry entry) {
    index.computeIfAbsent(key, _ -> new LinkedHashMap<>()).put(call, entry);
  }

  private static <K> void remove(Map<K, Map<Connection, Entry>> index, K key, Connection call) {
    index.computeIfPresent(
        key,
        (_, calls) -> {
          calls.remove(call);
          return calls.isEmpty() ? null : calls;
        });
  }

  /**
   * Those for a user's jobs, and those of the user that lead to none of them: their logins are not
   * asked about any more. The latest is the last. A call asks for a job of its own user's alone.
   */
  List<Expected> of(int uid, Set<JobId> own) {
    var found = new ArrayList<Expected>();
    for (JobId job : own) {
      byJob.getOrDefault(job, Map.of()).values().stream()
          .filter(entry -> !entry.expected().chosen() || entry.callerUid() == uid)
          .forEach(entry -> found.add(entry.expected()));
    }
    byUid.getOrDefault(uid, Map.of()).values().stream()
        .map(Entry::expected)
        .filter(expected -> expected.job().filter(own::contains).isEmpty())
        .forEach(found::add);
    found.sort((one, other) -> Long.compare(one.announcedNanos(), other.announcedNanos()));
    return found;
  }
}
