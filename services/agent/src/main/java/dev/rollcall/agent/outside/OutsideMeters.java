package dev.rollcall.agent.outside;

import dev.rollcall.wire.metrics.EnumCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of processes outside of jobs. */
final class OutsideMeters {
  final AtomicInteger watching = new AtomicInteger();
  final Counter lost;
  private final EnumCounters<UnitKind> places;
  private final EnumCounters<OutsideCheck.Action> actions;

  OutsideMeters(MeterRegistry registry) {
    registry.gauge("rollcall.outside.watching", watching);
    lost = registry.counter("rollcall.outside.lost");
    places = new EnumCounters<>(registry, "rollcall.outside.processes", "place", UnitKind.class);
    actions =
        new EnumCounters<>(
            registry, "rollcall.outside.actions", "action", OutsideCheck.Action.class);
  }

  void seen(UnitKind place, OutsideCheck.Action action) {
    places.of(place).increment();
    actions.of(action).increment();
  }
}
