package dev.rollcall.jobs.usage;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.usage.Incident.Kind;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Admits a line for terminals of a session, or of a step, once in 10 s for each kind of incident.
 * Holds only what was admitted in the last 10 s before the latest line. Thread-safe.
 */
final class LineThrottle {
  static final long BETWEEN_NANOS = 10_000_000_000L;

  private record Key(JobStep step, OptionalLong session, Kind kind) {}

  private final LongSupplier nanos;
  private final Map<Key, Long> admitted = new ConcurrentHashMap<>();

  /**
   * @param nanos the time, as System.nanoTime()
   */
  LineThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  boolean admits(JobStep step, OptionalLong session, Kind kind) {
    long now = nanos.getAsLong();
    admitted.values().removeIf(last -> now - last > BETWEEN_NANOS);
    return admitted.putIfAbsent(new Key(step, session, kind), now) == null;
  }

  /** A later job with this id has its lines at once. */
  void forget(JobId job) {
    admitted.keySet().removeIf(key -> key.step().job().equals(job));
  }

  /** How many lines are remembered. */
  int size() {
    return admitted.size();
  }
}
