package dev.rollcall.agent.login.caller;

import dev.rollcall.wire.metrics.EnumCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts announcements and lookups of pending callers. */
final class PendingCallerMeters {
  private final EnumCounters<Dropped> dropped;
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
    taken = registry.counter("rollcall.login.callers.lookups", "result", "taken");
    missed = registry.counter("rollcall.login.callers.lookups", "result", "missed");
    dropped =
        new EnumCounters<>(registry, "rollcall.login.callers.dropped", "reason", Dropped.class);
  }

  void dropped(Dropped reason, int entries) {
    dropped.of(reason).increment(entries);
  }
}
