package dev.rollcall.gateway.batch;

import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which node waits for which jobs, and the last answer, which all of them share. When the batch
 * system may be asked next. Thread-safe.
 */
final class OpenQuestions {
  /** The most jobs of one node. The node asks again for further ones. */
  static final int MOST_JOBS = 1_000;

  /** The most jobs of all nodes together. */
  static final int MOST_WAITING = 200_000;

  /** Answers without a job, after which nobody is asked for its sake any more. */
  static final int MOST_RUNS = 10;

  private final long everyNanos;
  private final LongSupplier nanoTime;

  /** The jobs that each node waits for, and in how many answers they were not. */
  private final Map<ConnectedNode, Map<JobId, Integer>> waiting = new HashMap<>();

  private int count;
  private Map<JobId, JobSpec> last = Map.of();
  private long lastRun;
  private boolean asking;

  /**
   * @param every the least time from one run to the next, and the longest that an answer is shared
   * @param nanoTime {@link System#nanoTime}
   */
  OpenQuestions(Duration every, LongSupplier nanoTime) {
    this.everyNanos = every.toNanos();
    this.nanoTime = nanoTime;
    this.lastRun = nanoTime.getAsLong() - everyNanos;
  }

  /** Takes a node's question in the place of its last one; returns what is known of it already. */
  synchronized List<JobSpec> ask(ConnectedNode node, Collection<JobId> jobs) {
    Map<JobId, Integer> before = forget(node);
    Map<JobId, Integer> open = new HashMap<>();
    var known = new ArrayList<JobSpec>();
    Map<JobId, JobSpec> answer = isFresh() ? last : Map.of();
    for (JobId job : jobs.stream().distinct().limit(MOST_JOBS).toList()) {
      JobSpec fact = answer.get(job);
      if (fact != null) {
        known.add(fact);
      } else if (count + open.size() < MOST_WAITING) {
        open.put(job, before.getOrDefault(job, 0));
      }
    }
    keep(node, open);
    return known;
  }

  /** The node has left. Returns what it waited for. */
  synchronized Map<JobId, Integer> forget(ConnectedNode node) {
    Map<JobId, Integer> open = waiting.remove(node);
    count -= open == null ? 0 : open.size();
    return open == null ? Map.of() : open;
  }

  private void keep(ConnectedNode node, Map<JobId, Integer> open) {
    if (!open.isEmpty()) {
      waiting.put(node, open);
      count += open.size();
    }
  }

  private boolean isFresh() {
    return nanoTime.getAsLong() - lastRun < everyNanos;
  }

  /** Whether the caller has to ask the batch system now, and to pass on the answer. */
  synchronized boolean begin() {
    if (!isFresh()) {
      last = Map.of();
    }
    boolean worthIt =
        waiting.values().stream()
            .flatMap(open -> open.values().stream())
            .anyMatch(runs -> runs < MOST_RUNS);
    if (asking || isFresh() || !worthIt) {
      return false;
    }
    asking = true;
    lastRun = nanoTime.getAsLong();
    return true;
  }

  /** It did not answer. */
  synchronized void failed() {
    asking = false;
  }

  /** Returns what each node waited for and is answered now. */
  synchronized Map<ConnectedNode, List<JobSpec>> answered(Map<JobId, JobSpec> answer) {
    asking = false;
    last = answer;
    Map<ConnectedNode, List<JobSpec>> facts = new HashMap<>();
    for (ConnectedNode node : List.copyOf(waiting.keySet())) {
      Map<JobId, Integer> open = new HashMap<>();
      forget(node)
          .forEach((job, runs) -> {
            JobSpec fact = answer.get(job);
            if (fact == null) {
              open.put(job, runs + 1);
            } else {
              facts.computeIfAbsent(node, _ -> new ArrayList<>()).add(fact);
            }
          });
      keep(node, open);
    }
    return facts;
  }

  /** Jobs that nodes wait for. */
  synchronized int count() {
    return count;
  }
}
