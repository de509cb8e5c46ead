package dev.rollcall.agent;

import dev.rollcall.jobs.container.Removals;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.Supplier;

/** What is being removed of jobs that ended, on a node whose jobs are Rollcall's own. */
final class ContainerMeters {
  private ContainerMeters() {}

  static void register(MeterRegistry registry, Supplier<Removals.Progress> removing) {
    registry.gauge("rollcall.container.removals.waiting", removing, it -> it.get().waiting());
    registry.gauge("rollcall.container.removals.stuck", removing, it -> it.get().stuck().size());
    registry
        .more()
        .counter("rollcall.container.removed", Tags.empty(), removing, it -> it.get().removed());
  }
}
