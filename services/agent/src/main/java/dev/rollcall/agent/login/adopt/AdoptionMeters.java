package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.wire.metrics.Exemplars;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Counts moves and logins. */
public final class AdoptionMeters {
  final Timer moves;
  final Counter notOpen;
  final Counter late;
  final Counter noContainer;
  private final Timer sessions;
  private final MeterRegistry registry;
  private final Exemplars exemplars;

  public AdoptionMeters(MeterRegistry registry, Exemplars exemplars) {
    this.registry = registry;
    this.exemplars = exemplars;
    moves = registry.timer("rollcall.adopt.moves");
    sessions = registry.timer("rollcall.adopt.sessions.time");
    notOpen = registry.counter("rollcall.adopt.refused", "reason", "job-not-open");
    late = registry.counter("rollcall.adopt.refused", "reason", "late");
    noContainer = registry.counter("rollcall.adopt.refused", "reason", "no-container");
    for (var outcome : Adoption.Outcome.values()) {
      outcomes(outcome);
    }
  }

  void recorded(Adoption adoption) {
    exemplars.count(outcomes(adoption.outcome()), adoption.id());
    exemplars.record(sessions, adoption.took(), adoption.id());
  }

  private Counter outcomes(Adoption.Outcome outcome) {
    return registry.counter("rollcall.adopt.sessions", "outcome", outcome.word());
  }
}
