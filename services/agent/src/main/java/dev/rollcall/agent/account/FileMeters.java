package dev.rollcall.agent.account;

import dev.rollcall.wire.lines.JsonLinesFile;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What becomes of lines of the usage file. */
final class FileMeters implements JsonLinesFile.Tally {
  final Counter failures;
  final Counter lost;
  final AtomicLong waiting;

  FileMeters(MeterRegistry registry) {
    failures = registry.counter("rollcall.account.file.failures");
    lost = registry.counter("rollcall.account.file.lost");
    waiting = registry.gauge("rollcall.account.file.waiting", new AtomicLong());
  }

  @Override
  public void waiting(long lines) {
    waiting.set(lines);
  }

  /** Records are counted as they are given. */
  @Override
  public void written(long lines) {}

  @Override
  public void failed() {
    failures.increment();
  }

  @Override
  public void lost() {
    lost.increment();
  }
}
