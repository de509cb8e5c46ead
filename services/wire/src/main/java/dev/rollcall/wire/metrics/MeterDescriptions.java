package dev.rollcall.wire.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds descriptions from the process's {@code meters.properties} to meters, and histograms to those
 * with percentiles.
 */
public final class MeterDescriptions implements MeterFilter {
  /** Of a login and of a question on its way: from where nobody feels it to where sshd gives up. */
  static final double[] BOUNDS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000)
          .map(millis -> Duration.ofMillis(millis).toNanos())
          .asDoubleStream()
          .toArray();

  /** A key of the file: timers, by their names. */
  private static final String HISTOGRAMS = "histograms";

  private final Properties words = new Properties();
  private final Set<String> histograms;

  /**
   * @param beside the class in whose package the file is
   */
  public MeterDescriptions(Class<?> beside) {
    try (InputStream file = beside.getResourceAsStream("meters.properties")) {
      words.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    histograms = Set.of(words.getProperty(HISTOGRAMS, "").split(" ", -1));
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    return new Meter.Id(
        id.getName(),
        Tags.of(id.getTagsAsIterable()),
        id.getBaseUnit(),
        words.getProperty(id.getName()),
        id.getType());
  }

  @Override
  public @Nullable DistributionStatisticConfig configure(
      Meter.Id id, DistributionStatisticConfig config) {
    return histograms.contains(id.getName())
        ? DistributionStatisticConfig.builder().serviceLevelObjectives(BOUNDS).build().merge(config)
        : config;
  }
}
