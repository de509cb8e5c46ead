package dev.rollcall.gateway.audit;

import dev.rollcall.wire.lines.JsonLinesFile;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What becomes of lines of the audit log. */
final class AuditMeters implements JsonLinesFile.Tally {
  private final Counter lines;
  private final Counter failures;
  private final Counter lost;
  private final AtomicLong waiting;

  AuditMeters(MeterRegistry registry) {
    lines = registry.counter("rollcall.gateway.audit.lines");
    failures = registry.counter("rollcall.gateway.audit.failures");
    lost = registry.counter("rollcall.gateway.audit.lost");
    waiting = registry.gauge("rollcall.gateway.audit.waiting", new AtomicLong());
  }

  @Override
  public void waiting(long count) {
    waiting.set(count);
  }

  @Override
  public void written(long count) {
    lines.increment((double) count);
  }

  @Override
  public void failed() {
    failures.increment();
  }

  @Override
  public void lost() {
    lost.increment();
  }
}
