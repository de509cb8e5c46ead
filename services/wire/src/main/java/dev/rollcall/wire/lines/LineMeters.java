package dev.rollcall.wire.lines;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts a file's lines and errors.
 *
 * @param lines that were written
 * @param failures attempts to write the file that failed; what waits is tried again
 * @param lost lines that were not taken
 * @param waiting what a gauge shows: lines that wait to be written
 */
public record LineMeters(Counter lines, Counter failures, Counter lost, AtomicLong waiting) {
  /**
   * @param name before those of the meters, as {@code rollcall.audit}
   */
  public static LineMeters of(MeterRegistry registry, String name) {
    return new LineMeters(
        registry.counter(name + ".lines"),
        registry.counter(name + ".failures"),
        registry.counter(name + ".lost"),
        requireNonNull(registry.gauge(name + ".waiting", new AtomicLong())));
  }
}
