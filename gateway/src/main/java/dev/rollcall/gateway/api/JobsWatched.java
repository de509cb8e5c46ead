package dev.rollcall.gateway.api;

import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Streams changes of jobs. Once a second, while there are watchers, it compares the shared copy of
 * the jobs with the one before, once for all watchers. A state that lasts less than a second may be
 * missed.
 */
public final class JobsWatched {
  private record Key(NodeName node, JobId job) {}

  private record Change(NodeName node, Job job) {}

  private static final class Watcher {
    final BiConsumer<NodeName, Job> tell;
    boolean begun;

    Watcher(BiConsumer<NodeName, Job> tell) {
      this.tell = tell;
    }

    void see(List<Change> changes) {
      changes.forEach(change -> tell.accept(change.node(), change.job()));
    }
  }

  private final RecentJobs recent;
  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
  private Map<Key, Job> seen = Map.of();
  private long seenNumber;

  public JobsWatched(RecentJobs recent) {
    this.recent = recent;
  }

  /** Sends all jobs as they are, then changes. Returns what to run to end it. */
  Runnable watch(BiConsumer<NodeName, Job> tell) {
    var watcher = new Watcher(tell);
    watchers.add(watcher);
    tick();
    return () -> watchers.remove(watcher);
  }

  /** Every second. If the jobs cannot be read now, the next call reads them. */
  public void tick() {
    if (!watchers.isEmpty()) {
      var _ = recent.use(this::see);
    }
  }

  /** A worker may come late with an earlier copy: the later one counts. */
  private synchronized long see(RecentJobs.Copy copy) {
    if (copy.number() > seenNumber) {
      Map<Key, Job> now = jobs(copy);
      List<Change> changes = changes(seen, now);
      watchers.stream().filter(watcher -> watcher.begun).forEach(one -> one.see(changes));
      seen = now;
      seenNumber = copy.number();
    }
    watchers.stream()
        .filter(watcher -> !watcher.begun)
        .forEach(watcher -> {
          watcher.begun = true;
          watcher.see(changes(Map.of(), seen));
        });
    return seenNumber;
  }

  private Map<Key, Job> jobs(RecentJobs.Copy copy) {
    var now = new HashMap<Key, Job>();
    copy.all()
        .forEach(entry ->
            now.put(new Key(entry.node(), entry.job().id()), ClusterJobService.toProto(entry)));
    return now;
  }

  private static List<Change> changes(Map<Key, Job> before, Map<Key, Job> now) {
    var changes = new ArrayList<Change>();
    now.forEach((key, job) -> {
      if (!job.equals(before.get(key))) {
        changes.add(new Change(key.node(), job));
      }
    });
    before.forEach((key, job) -> {
      if (!now.containsKey(key)) {
        changes.add(
            new Change(key.node(), job.toBuilder().setState(JobState.JOB_STATE_CLOSED).build()));
      }
    });
    return changes;
  }
}
