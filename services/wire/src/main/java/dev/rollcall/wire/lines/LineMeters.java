package dev.rollcall.wire.lines;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts a file's lines and errors.
 *
 * @param lines that were written
 * @param failures attempts to write the file that failed; what waits is tried again
 * @param losses lines that were not taken
 * @param waiting what a gauge shows: lines that wait to be written
 */
public record LineMeters(Counter lines, Counter failures, Counter losses, AtomicLong waiting) {
  /**
   * Registers them.
   *
   * @param file that the names begin with, as {@code rollcall.audit} in {@code
   *     rollcall.audit.lines}
   */
  public static LineMeters of(MeterRegistry registry, String file) {
    return new LineMeters(
        registry.counter(file + ".lines"),
        registry.counter(file + ".failures"),
        registry.counter(file + ".lost"),
        registry.gauge(file + ".waiting", new AtomicLong()));
  }
}
