package dev.rollcall.gateway.batch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Counts the batch system's answers. */
final class BatchMeters {
  final Counter answered;
  final Counter failed;
  final Counter told;
  final Timer time;

  BatchMeters(MeterRegistry registry, OpenQuestions questions) {
    answered = registry.counter("rollcall.gateway.squeue.runs", "outcome", "answered");
    failed = registry.counter("rollcall.gateway.squeue.runs", "outcome", "failed");
    time = registry.timer("rollcall.gateway.squeue.time");
    told = registry.counter("rollcall.gateway.facts.sent");
    registry.gauge("rollcall.gateway.facts.waiting", questions, OpenQuestions::count);
  }
}
