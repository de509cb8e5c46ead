package dev.rollcall.agent.outside;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** What escape counts. */
final class OutsideMeters {
  final AtomicInteger watching = new AtomicInteger();
  final Counter lost;
  private final MeterRegistry registry;

  OutsideMeters(MeterRegistry registry) {
    this.registry = registry;
    registry.gauge("rollcall.escape.watching", watching);
    lost = registry.counter("rollcall.escape.lost");
    for (UnitKind place : UnitKind.values()) {
      places(place);
    }
    for (OutsideCheck.Deed deed : OutsideCheck.Deed.values()) {
      deeds(deed);
    }
  }

  void seen(UnitKind place, OutsideCheck.Deed deed) {
    places(place).increment();
    deeds(deed).increment();
  }

  private Counter places(UnitKind place) {
    return registry.counter("rollcall.escape.processes", "place", place.word());
  }

  private Counter deeds(OutsideCheck.Deed deed) {
    return registry.counter("rollcall.escape.deeds", "deed", deed.name().toLowerCase(Locale.ROOT));
  }
}
