package dev.rollcall.agent.login.log;

import dev.rollcall.wire.metrics.EnumCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts records of the log of logins. */
final class LogMeters {
  final Counter records;
  final EnumCounters<SkippedBytes> skipped;

  LogMeters(MeterRegistry registry) {
    records = registry.counter("rollcall.login.records");
    skipped =
        new EnumCounters<>(
            registry, "rollcall.login.records.skipped", "reason", SkippedBytes.class);
  }
}
