package dev.rollcall.agent.login.caller;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts announcements and lookups of pending callers. */
final class PendingCallerMeters {
  private final MeterRegistry registry;
  final Counter taken;
  final Counter missed;

  /** Why an entry, or an announcement, is gone. */
  enum Dropped {
    NOT_OURS,
    STALE,
    GAP,
    LOST,
    WITHDRAWN,
    REPLACED,
    EXPIRED,
    FULL
  }

  PendingCallerMeters(MeterRegistry registry) {
    this.registry = registry;
    taken = registry.counter("rollcall.login.callers.lookups", "result", "taken");
    missed = registry.counter("rollcall.login.callers.lookups", "result", "missed");
    for (Dropped reason : Dropped.values()) {
      counter(reason);
    }
  }

  void dropped(Dropped reason, int entries) {
    counter(reason).increment(entries);
  }

  private Counter counter(Dropped reason) {
    String word = reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    return registry.counter("rollcall.login.callers.dropped", "reason", word);
  }
}
