package dev.rollcall.agent.adopt;

import dev.rollcall.agent.event.DoorAnswer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/** What adopt counts. */
final class AdoptMeters {
  final Timer moves;
  final Timer sessions;
  final Counter notOpen;
  final Counter late;
  private final MeterRegistry registry;

  AdoptMeters(MeterRegistry registry) {
    this.registry = registry;
    moves = registry.timer("rollcall.adopt.moves");
    sessions = registry.timer("rollcall.adopt.sessions.time");
    notOpen = registry.counter("rollcall.adopt.refused", "reason", "job-not-open");
    late = registry.counter("rollcall.adopt.refused", "reason", "late");
    for (var outcome : DoorAnswer.Outcome.values()) {
      outcomes(outcome);
    }
  }

  void ended(DoorAnswer.Outcome outcome) {
    outcomes(outcome).increment();
  }

  private Counter outcomes(DoorAnswer.Outcome outcome) {
    String word = outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return registry.counter("rollcall.adopt.sessions", "outcome", word);
  }
}
