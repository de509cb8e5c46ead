package dev.rollcall.wire.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A counter for each value of an enum, which is its tag: {@code NOT_OURS} as {@code not-ours}. All
 * of them are there from the start.
 */
public final class EnumCounters<E extends Enum<E>> {
  private final Map<E, Counter> counters;

  public EnumCounters(MeterRegistry registry, String name, String tag, Class<E> values) {
    this(registry, name, tag, EnumSet.allOf(values));
  }

  /** Counts only these values; others have no metric. */
  public EnumCounters(MeterRegistry registry, String name, String tag, Set<E> values) {
    counters = new HashMap<>();
    for (E value : values) {
      String word = value.name().toLowerCase(Locale.ROOT).replace('_', '-');
      counters.put(value, registry.counter(name, tag, word));
    }
  }

  public Counter of(E value) {
    return requireNonNull(counters.get(value));
  }
}
