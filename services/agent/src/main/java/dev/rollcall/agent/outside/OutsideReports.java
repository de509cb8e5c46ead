package dev.rollcall.agent.outside;

import dev.rollcall.agent.outside.OutsideCheck.Action;
import dev.rollcall.agent.outside.OutsideCheck.Finding;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.usage.Incident;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits the reports of processes outside of jobs: one for each user, cgroup and action in a while,
 * with the number of processes. So a service that begins a thousand programs is not reported a
 * thousand times. Of a user who begins services without end, those beyond some cgroups are reported
 * as of one. A process that is seen again, as when it executes another program, is not counted
 * again. Not thread-safe.
 */
final class OutsideReports {
  private record Key(int uid, String cgroup, Action action) {}

  private static final class Count {
    private final long toldNanos;
    private long since;

    Count(long toldNanos) {
      this.toldNanos = toldNanos;
    }
  }

  private record Handled(ProcessRef process, UnitKind place, Action action) {}

  private static final int CAPACITY = 1_024;

  /** Of one user, told apart. */
  static final int MOST_CGROUPS = 16;

  private static final String OTHERS = "";

  private final LinkedHashMap<Key, Count> told = new LinkedHashMap<>();
  private final LinkedHashSet<Handled> seen = new LinkedHashSet<>();
  private final Duration quiet;
  private final LongSupplier nanoClock;

  OutsideReports(Duration quiet, LongSupplier nanoClock) {
    this.quiet = quiet;
    this.nanoClock = nanoClock;
  }

  /** Whether this was not yet done to this process there, as far back as is remembered. */
  boolean isNew(Finding finding) {
    var handled = new Handled(finding.seen().process(), finding.place(), finding.action());
    if (!seen.add(handled)) {
      return false;
    }
    if (seen.size() > CAPACITY) {
      seen.removeFirst();
    }
    return true;
  }

  /** The incident to report now, with the number of those that were left out since the last one. */
  Optional<Incident> of(Finding finding) {
    long now = nanoClock.getAsLong();
    Key key = key(finding, now);
    Count before = told.get(key);
    if (before != null && isRecent(before, now)) {
      before.since++;
      return Optional.empty();
    }
    told.remove(key);
    if (told.size() >= CAPACITY) {
      told.pollFirstEntry();
    }
    told.put(key, new Count(now));
    Incident one = finding.incident();
    long times = 1 + (before == null ? 0 : before.since);
    return Optional.of(
        new Incident(one.kind(), one.step(), one.session(), times, one.at(), one.what()));
  }

  private Key key(Finding finding, long now) {
    var own = new Key(finding.seen().uid(), finding.seen().cgroup(), finding.action());
    List<Key> recent =
        told.entrySet().stream()
            .filter(each ->
                each.getKey().uid() == finding.seen().uid() && isRecent(each.getValue(), now))
            .map(Map.Entry::getKey)
            .toList();
    return recent.size() < MOST_CGROUPS || recent.contains(own)
        ? own
        : new Key(finding.seen().uid(), OTHERS, finding.action());
  }

  private boolean isRecent(Count count, long now) {
    return now - count.toldNanos < quiet.toNanos();
  }
}
