package dev.rollcall.agent.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.wire.metrics.Exemplars;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** What adopt counts. */
final class AdoptMeters {
  final Timer moves;
  final Counter notOpen;
  final Counter late;
  private final Timer sessions;
  private final MeterRegistry registry;
  private final Exemplars exemplars;

  AdoptMeters(MeterRegistry registry, Exemplars exemplars) {
    this.registry = registry;
    this.exemplars = exemplars;
    moves = registry.timer("rollcall.adopt.moves");
    sessions = registry.timer("rollcall.adopt.sessions.time");
    notOpen = registry.counter("rollcall.adopt.refused", "reason", "job-not-open");
    late = registry.counter("rollcall.adopt.refused", "reason", "late");
    for (var outcome : DoorAnswer.Outcome.values()) {
      outcomes(outcome);
    }
  }

  void told(Adoption adoption) {
    exemplars.count(outcomes(adoption.outcome()), adoption.id());
    exemplars.record(sessions, adoption.took(), adoption.id());
  }

  private Counter outcomes(DoorAnswer.Outcome outcome) {
    return registry.counter("rollcall.adopt.sessions", "outcome", outcome.word());
  }
}
