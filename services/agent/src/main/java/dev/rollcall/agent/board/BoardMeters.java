package dev.rollcall.agent.board;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What board counts. */
final class BoardMeters {
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

  BoardMeters(MeterRegistry registry) {
    this.registry = registry;
    taken = registry.counter("rollcall.board.lookups", "result", "taken");
    missed = registry.counter("rollcall.board.lookups", "result", "missed");
    for (Dropped reason : Dropped.values()) {
      counter(reason);
    }
  }

  void dropped(Dropped reason, int entries) {
    counter(reason).increment(entries);
  }

  private Counter counter(Dropped reason) {
    String word = reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    return registry.counter("rollcall.board.dropped", "reason", word);
  }
}
