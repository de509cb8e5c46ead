package dev.rollcall.agent.escape;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** What escape counts. */
final class EscapeMeters {
  final AtomicInteger watching = new AtomicInteger();
  final Counter lost;
  private final MeterRegistry registry;

  EscapeMeters(MeterRegistry registry) {
    this.registry = registry;
    registry.gauge("rollcall.escape.watching", watching);
    lost = registry.counter("rollcall.escape.lost");
    for (Place place : Place.values()) {
      places(place);
    }
    for (Escapes.Deed deed : Escapes.Deed.values()) {
      deeds(deed);
    }
  }

  void seen(Place place, Escapes.Deed deed) {
    places(place).increment();
    deeds(deed).increment();
  }

  private Counter places(Place place) {
    return registry.counter("rollcall.escape.processes", "place", place.word());
  }

  private Counter deeds(Escapes.Deed deed) {
    return registry.counter("rollcall.escape.deeds", "deed", deed.name().toLowerCase(Locale.ROOT));
  }
}
