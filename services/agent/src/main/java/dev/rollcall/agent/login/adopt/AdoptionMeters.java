package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.wire.metrics.EnumCounters;
import dev.rollcall.wire.metrics.Exemplars;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;

/** Counts moves and logins, and logs undecided logins of each kind at most once a minute. */
public final class AdoptionMeters {
  /** Why a login was not decided. */
  public enum Undecided {
    BUSY,
    FAILED
  }

  private static final System.Logger LOG = System.getLogger(AdoptionMeters.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  final Timer moves;
  final Counter notOpen;
  final Counter late;
  final Counter noContainer;
  private final Timer sessions;
  private final EnumCounters<Adoption.Outcome> outcomes;
  private final EnumCounters<Undecided> undecided;
  private final Map<Undecided, Long> loggedNanos = new EnumMap<>(Undecided.class);
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
    undecided = new EnumCounters<>(registry, "rollcall.login.undecided", "reason", Undecided.class);
  }

  /** On the event loop of logins. */
  void undecided(Undecided kind, String cause) {
    Counter counter = undecided.of(kind);
    counter.increment();
    long now = System.nanoTime();
    Long before = loggedNanos.get(kind);
    if (before == null || now - before > QUIET_NANOS) {
      loggedNanos.put(kind, now);
      LOG.log(
          System.Logger.Level.WARNING,
          "a login was not decided: {0} ({1} times since the start; logged at most once a minute)",
          cause,
          Long.toString((long) counter.count()));
    }
  }

  void recorded(Adoption adoption) {
    exemplars.count(outcomes.of(adoption.outcome()), adoption.id());
    exemplars.record(sessions, adoption.took(), adoption.id());
  }
}
