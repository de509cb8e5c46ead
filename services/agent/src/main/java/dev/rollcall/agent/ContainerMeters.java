package dev.rollcall.agent;

import dev.rollcall.jobs.NativeJobs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** Counts files of ended jobs that are being removed, where the jobs are Rollcall's own. */
final class ContainerMeters {
  private ContainerMeters() {}

  /**
   * @param jobs a registry holds what it asks by a weak reference: an object that outlives it
   */
  static void register(MeterRegistry registry, NativeJobs jobs) {
    registry.gauge("rollcall.container.removals.waiting", jobs, each -> each.removing().waiting());
    registry.gauge(
        "rollcall.container.removals.stuck", jobs, each -> each.removing().stuck().size());
    registry
        .more()
        .counter(
            "rollcall.container.removed", Tags.empty(), jobs, each -> each.removing().removed());
  }
}
