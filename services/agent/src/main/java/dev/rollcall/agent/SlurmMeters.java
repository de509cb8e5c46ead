package dev.rollcall.agent;

import dev.rollcall.jobs.slurm.SlurmCounts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** Counts events of a node whose jobs Slurm owns. */
final class SlurmMeters {
  private SlurmMeters() {}

  static void register(MeterRegistry registry, SlurmCounts counts) {
    MeterRegistry.More of = registry.more();
    of.counter("rollcall.slurm.adoptions", Tags.empty(), counts, SlurmCounts::byRequest);
    of.counter("rollcall.slurm.cgroup.writes", Tags.empty(), counts, SlurmCounts::byWriting);
    of.counter("rollcall.slurm.sessions.reported", Tags.empty(), counts, SlurmCounts::reported);
    of.counter("rollcall.slurm.sessions.unreported", Tags.empty(), counts, SlurmCounts::unreported);
    of.counter("rollcall.slurm.sessions.ended", Tags.empty(), counts, SlurmCounts::ended);
    of.counter("rollcall.slurm.logins.frozen", Tags.empty(), counts, SlurmCounts::frozenLogins);
    of.counter("rollcall.slurm.daemons.silent", Tags.empty(), counts, SlurmCounts::silent);
    of.counter("rollcall.slurm.layouts.unknown", Tags.empty(), counts, SlurmCounts::unknownLayouts);
    registry.gauge("rollcall.slurm.sockets.foreign", counts, SlurmCounts::foreignSockets);
    registry.gauge("rollcall.slurm.spool.unreadable", counts, SlurmCounts::spoolUnreadable);
  }
}
