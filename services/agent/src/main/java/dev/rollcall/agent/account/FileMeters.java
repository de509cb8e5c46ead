package dev.rollcall.agent.account;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What becomes of lines of the usage file. */
final class FileMeters {
  final Counter failures;
  final Counter lost;
  final AtomicLong waiting;

  FileMeters(MeterRegistry registry) {
    failures = registry.counter("rollcall.account.file.failures");
    lost = registry.counter("rollcall.account.file.lost");
    waiting = registry.gauge("rollcall.account.file.waiting", new AtomicLong());
  }
}
