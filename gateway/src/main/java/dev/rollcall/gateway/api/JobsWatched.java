package dev.rollcall.gateway.api;

import dev.rollcall.gateway.node.NodeUserNames;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobState;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Streams changes of jobs. The roll is read once a second while somebody watches, for all who do; a
 * state that comes and goes within the second is not seen.
 */
public final class JobsWatched {
  private record Key(NodeName node, JobId job) {}

  /** Holds the jobs that were sent to one watcher. */
  private static final class Watcher {
    final BiConsumer<NodeName, Job> tell;
    Map<Key, Job> told = Map.of();

    Watcher(BiConsumer<NodeName, Job> tell) {
      this.tell = tell;
    }

    synchronized void see(Map<Key, Job> now) {
      now.forEach((key, job) -> {
        if (!job.equals(told.get(key))) {
          tell.accept(key.node(), job);
        }
      });
      told.forEach((key, job) -> {
        if (!now.containsKey(key)) {
          tell.accept(key.node(), job.toBuilder().setState(JobState.JOB_STATE_CLOSED).build());
        }
      });
      told = now;
    }
  }

  private final Roll roll;
  private final Workers workers;
  private final NodeUserNames users;
  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

  /** How often a read was asked for since the one under way began; 0 if there is none. */
  private final AtomicInteger asked = new AtomicInteger();

  public JobsWatched(Roll roll, Workers workers, NodeUserNames users) {
    this.users = users;
    this.roll = roll;
    this.workers = workers;
  }

  /** Tells every job as it stands, then changes. Returns what to run to end it. */
  Runnable watch(BiConsumer<NodeName, Job> tell) {
    var watcher = new Watcher(tell);
    watchers.add(watcher);
    tick();
    return () -> watchers.remove(watcher);
  }

  /** Every second. What cannot be read now is read the next time. */
  public void tick() {
    if (!watchers.isEmpty() && asked.getAndIncrement() == 0) {
      read();
    }
  }

  /** Reads are not concurrent: an earlier state never follows a later one. */
  private void read() {
    var _ =
        workers
            .run(() -> {
              Map<Key, Job> now = jobs();
              watchers.forEach(watcher -> watcher.see(now));
              return now.size();
            })
            .whenComplete((_, _) -> {
              if (asked.getAndSet(0) > 1) {
                tick();
              }
            });
  }

  private Map<Key, Job> jobs() {
    var now = new HashMap<Key, Job>();
    roll.jobs()
        .forEach(entry ->
            now.put(
                new Key(entry.node(), entry.job().id()), ClusterJobService.toProto(entry, users)));
    return now;
  }
}
