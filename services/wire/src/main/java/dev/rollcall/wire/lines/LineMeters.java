package dev.rollcall.wire.lines;

import io.micrometer.core.instrument.Counter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts a file's lines and errors.
 *
 * @param lines that were written
 * @param failures attempts to write the file that failed
 * @param losses lines that were not taken
 * @param waiting what a gauge shows: lines that wait to be written
 */
public record LineMeters(Counter lines, Counter failures, Counter losses, AtomicLong waiting)
    implements JsonLinesFile.Tally {
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
    losses.increment();
  }
}
