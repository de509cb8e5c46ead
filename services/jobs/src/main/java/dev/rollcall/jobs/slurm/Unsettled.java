package dev.rollcall.jobs.slurm;

import dev.rollcall.model.JobId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Jobs to poll. A step has no event between start and end, so the job is polled, with growing
 * intervals. A settled job costs nothing.
 */
final class Unsettled {
  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration LAST = Duration.ofSeconds(15);

  private final LongSupplier nanoTime;
  private final Map<JobId, Turn> turns = new HashMap<>();

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  Unsettled(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Turn(long at, Duration pause) {}

  /** To be looked at now, and soon again if that does not settle it. */
  synchronized void add(JobId job) {
    turns.put(job, new Turn(nanoTime.getAsLong(), FIRST));
  }

  /** It was looked at, and is not settled. */
  synchronized void later(JobId job) {
    Turn last = turns.get(job);
    Duration pause = last == null ? FIRST : last.pause();
    Duration next = pause.multipliedBy(2);
    turns.put(
        job,
        new Turn(nanoTime.getAsLong() + pause.toNanos(), next.compareTo(LAST) < 0 ? next : LAST));
  }

  /** The same, until the intervals have grown to the longest; then polling ends. */
  synchronized void laterForAWhile(JobId job) {
    Turn last = turns.get(job);
    if (last != null && last.pause().compareTo(LAST) >= 0) {
      turns.remove(job);
    } else {
      later(job);
    }
  }

  synchronized void settled(JobId job) {
    turns.remove(job);
  }

  /** Forgets all but these: nobody looks at others, and their time would have come for ever. */
  synchronized void keep(Set<JobId> jobs) {
    turns.keySet().retainAll(jobs);
  }

  /** Whether it is not settled, and its time has come. */
  synchronized boolean due(JobId job) {
    Turn turn = turns.get(job);
    return turn != null && turn.at() - nanoTime.getAsLong() <= 0;
  }

  /** Until the next one's time; empty if all are settled. At least a millisecond. */
  synchronized Optional<Duration> next() {
    long now = nanoTime.getAsLong();
    return turns.values().stream()
        .map(turn -> Duration.ofNanos(Math.max(turn.at() - now, Duration.ofMillis(1).toNanos())))
        .min(Duration::compareTo);
  }
}
