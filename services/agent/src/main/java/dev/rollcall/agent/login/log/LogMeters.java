package dev.rollcall.agent.login.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts records of the log of logins. */
final class LogMeters {
  final Counter records;
  private final MeterRegistry registry;

  LogMeters(MeterRegistry registry) {
    this.registry = registry;
    records = registry.counter("rollcall.login.records");
    for (SkippedBytes why : SkippedBytes.values()) {
      registry.counter("rollcall.login.records.skipped", "reason", why.word());
    }
  }

  void skipped(SkippedBytes why) {
    registry.counter("rollcall.login.records.skipped", "reason", why.word()).increment();
  }
}
