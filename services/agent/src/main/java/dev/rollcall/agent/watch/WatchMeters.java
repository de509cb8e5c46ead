package dev.rollcall.agent.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What watch counts. */
final class WatchMeters {
  final Counter announced;
  final Counter kept;
  final Counter lost;
  final Counter seen;
  final Counter notSeen;

  WatchMeters(MeterRegistry registry) {
    announced = registry.counter("rollcall.watch.calls", "told", "yes");
    kept = registry.counter("rollcall.watch.calls", "told", "no");
    lost = registry.counter("rollcall.watch.lost");
    seen = registry.counter("rollcall.watch.lookups", "result", "seen");
    notSeen = registry.counter("rollcall.watch.lookups", "result", "not-seen");
  }
}
