package dev.rollcall.agent.outside;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of processes outside of jobs. */
final class OutsideMeters {
  final AtomicInteger watching = new AtomicInteger();
  final Counter lost;
  private final MeterRegistry registry;

  OutsideMeters(MeterRegistry registry) {
    this.registry = registry;
    registry.gauge("rollcall.outside.watching", watching);
    lost = registry.counter("rollcall.outside.lost");
    for (UnitKind place : UnitKind.values()) {
      places(place);
    }
    for (OutsideCheck.Action action : OutsideCheck.Action.values()) {
      actions(action);
    }
  }

  void seen(UnitKind place, OutsideCheck.Action action) {
    places(place).increment();
    actions(action).increment();
  }

  private Counter places(UnitKind place) {
    return registry.counter("rollcall.outside.processes", "place", place.word());
  }

  private Counter actions(OutsideCheck.Action action) {
    return registry.counter(
        "rollcall.outside.actions", "action", action.name().toLowerCase(Locale.ROOT));
  }
}
