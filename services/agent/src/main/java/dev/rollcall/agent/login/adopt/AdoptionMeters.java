package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.wire.metrics.EnumCounters;
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
  private final EnumCounters<Adoption.Outcome> outcomes;
  private final Exemplars exemplars;

  public AdoptionMeters(MeterRegistry registry, Exemplars exemplars) {
    this.exemplars = exemplars;
    moves = registry.timer("rollcall.adopt.moves");
    sessions = registry.timer("rollcall.adopt.sessions.time");
    notOpen = registry.counter("rollcall.adopt.refused", "reason", "job-not-open");
    late = registry.counter("rollcall.adopt.refused", "reason", "late");
    noContainer = registry.counter("rollcall.adopt.refused", "reason", "no-container");
    outcomes =
        new EnumCounters<>(registry, "rollcall.adopt.sessions", "outcome", Adoption.Outcome.class);
  }

  void recorded(Adoption adoption) {
    exemplars.count(outcomes.of(adoption.outcome()), adoption.id());
    exemplars.record(sessions, adoption.took(), adoption.id());
  }
}
