package dev.rollcall.model.usage;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Values of {@link Measure}. What was not measured is absent. For one thread until it is published.
 */
@SuppressWarnings(
    "EnumOrdinal") // 25 boxed values of thousands of cgroups are garbage of each scrape
public final class Measures {
  private static final long ABSENT = -1;
  private static final Measure[] ALL = Measure.values();

  private final long[] values = new long[ALL.length];

  /** Nothing is measured yet. */
  public Measures() {
    Arrays.fill(values, ABSENT);
  }

  /** The part of an account that grows. */
  public static Measures of(Usage usage) {
    var measures = new Measures();
    measures.put(Measure.CPU_USER, usage.userTime());
    measures.put(Measure.CPU_SYSTEM, usage.systemTime());
    measures.put(Measure.MEMORY_PEAK, usage.memoryPeak());
    measures.put(Measure.READ_BYTES, usage.readBytes());
    measures.put(Measure.WRITTEN_BYTES, usage.writtenBytes());
    measures.put(Measure.OOM_KILLS, usage.oomKills());
    usage
        .pressure()
        .ifPresent(pressure -> {
          measures.put(Measure.PRESSURE_CPU_WAITING, Optional.of(pressure.cpu()));
          measures.put(Measure.PRESSURE_MEMORY_WAITING, Optional.of(pressure.memory()));
          measures.put(Measure.PRESSURE_IO_WAITING, Optional.of(pressure.io()));
        });
    return measures;
  }

  /** A negative value is no measurement. */
  public void put(Measure measure, long value) {
    values[measure.ordinal()] = Math.max(ABSENT, value);
  }

  public void put(Measure measure, OptionalLong value) {
    put(measure, value.orElse(ABSENT));
  }

  public void put(Measure measure, Optional<Duration> time) {
    put(measure, time.map(it -> it.toNanos() / 1_000).orElse(ABSENT));
  }

  public OptionalLong get(Measure measure) {
    long value = values[measure.ordinal()];
    return value == ABSENT ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /**
   * These, which follow an earlier measurement. What grows never goes back: where the kernel counts
   * existing cgroups only, a sum becomes less when one is removed.
   */
  public Measures after(Measures earlier) {
    for (Measure each : ALL) {
      if (each.grows()) {
        int at = each.ordinal();
        values[at] = Math.max(values[at], earlier.values[at]);
      }
    }
    return this;
  }

  /** What is true after the end of the cgroup as well. */
  public Measures ended() {
    return new Measures().after(this);
  }
}
