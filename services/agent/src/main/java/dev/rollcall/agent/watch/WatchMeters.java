package dev.rollcall.agent.watch;

import dev.rollcall.port.CallSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** Counts events of the stage watch. */
final class WatchMeters {
  final Counter announced;
  private final Counter kept;
  final Counter own;
  final Counter ended;
  final Counter outside;
  final Counter lost;
  final Counter withdrawn;
  final Counter seen;
  final Counter notSeen;

  WatchMeters(MeterRegistry registry, CallSource source) {
    announced = registry.counter("rollcall.watch.calls", "pushed", "yes");
    kept = registry.counter("rollcall.watch.calls", "pushed", "no");
    own = registry.counter("rollcall.watch.unpushed", "reason", "own");
    ended = registry.counter("rollcall.watch.unpushed", "reason", "ended");
    outside = registry.counter("rollcall.watch.unpushed", "reason", "prefix");
    lost = registry.counter("rollcall.watch.lost");
    withdrawn = registry.counter("rollcall.watch.withdrawn");
    var _ =
        registry
            .more()
            .counter("rollcall.watch.withheld", Tags.empty(), source, CallSource::withheld);
    registry.gauge("rollcall.watch.announcing", source, it -> it.announces() ? 1 : 0);
    seen = registry.counter("rollcall.watch.lookups", "result", "seen");
    notSeen = registry.counter("rollcall.watch.lookups", "result", "not-seen");
  }

  void notPushed(Counter why) {
    kept.increment();
    why.increment();
  }
}
