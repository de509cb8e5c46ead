package dev.rollcall.wire.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds the last counted decision to buckets and counters as an exemplar, for scrapers of
 * OpenMetrics. Micrometer's own exemplars name traces alone. Thread-safe.
 */
public final class Exemplars {
  /** A decision's id says when its agent began and how many came before it: nothing of anybody. */
  private static final String LABEL = "decision_id";

  private static final PrometheusNamingConvention NAMES = new PrometheusNamingConvention();
  private static final double NANOS = 1e9;

  /** A line of the page, without the bucket. */
  private record Series(String name, Labels labels) {
    static Series of(Meter meter) {
      Meter.Id id = meter.getId();
      List<Tag> tags = id.getTags();
      return new Series(
          NAMES.name(id.getName(), id.getType(), id.getBaseUnit()).replaceFirst("_total$", ""),
          Labels.of(
              tags.stream().map(Tag::getKey).toList(), tags.stream().map(Tag::getValue).toList()));
    }
  }

  private final Map<Series, Map<Integer, Exemplar>> last = new ConcurrentHashMap<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(new AsPrometheusReads(), new Named(), Clock.SYSTEM);

  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Counts a decision and its time, by a histogram of {@link MeterDescriptions}. */
  public void record(Timer timer, Duration took, String decision) {
    timer.record(took);
    double nanos = (double) took.toNanos();
    int at = Arrays.binarySearch(MeterDescriptions.BOUNDS, nanos);
    keep(timer, at < 0 ? -at - 1 : at, nanos / NANOS, decision);
  }

  public void count(Counter counter, String decision) {
    counter.increment();
    keep(counter, 0, 1, decision);
  }

  private void keep(Meter meter, int bucket, double value, String decision) {
    last.computeIfAbsent(Series.of(meter), _ -> new ConcurrentHashMap<>())
        .put(
            bucket,
            Exemplar.builder()
                .value(value)
                .labels(Labels.of(LABEL, decision))
                .timestampMillis(System.currentTimeMillis())
                .build());
  }

  private Collection<Exemplar> of(MetricSnapshot metric, DataPointSnapshot point) {
    return last.getOrDefault(
            new Series(metric.getMetadata().getName(), point.getLabels()), Map.of())
        .values();
  }

  private MetricSnapshot named(MetricSnapshot metric) {
    return switch (metric) {
      case HistogramSnapshot histogram ->
          new HistogramSnapshot(
              histogram.getMetadata(),
              histogram.getDataPoints().stream().map(point -> named(histogram, point)).toList());
      case CounterSnapshot counter ->
          new CounterSnapshot(
              counter.getMetadata(),
              counter.getDataPoints().stream().map(point -> named(counter, point)).toList());
      default -> metric;
    };
  }

  private HistogramDataPointSnapshot named(
      HistogramSnapshot metric, HistogramDataPointSnapshot point) {
    return new HistogramDataPointSnapshot(
        point.getClassicBuckets(),
        point.getSum(),
        point.getLabels(),
        io.prometheus.metrics.model.snapshots.Exemplars.of(of(metric, point)),
        point.getCreatedTimestampMillis());
  }

  private CounterDataPointSnapshot named(CounterSnapshot metric, CounterDataPointSnapshot point) {
    return new CounterDataPointSnapshot(
        point.getValue(),
        point.getLabels(),
        of(metric, point).stream().findFirst().orElse(null),
        point.getCreatedTimestampMillis());
  }

  /** Prometheus refuses a whole page for an exemplar behind a histogram's count. */
  private static final class AsPrometheusReads implements PrometheusConfig {
    @Override
    public @Nullable String get(String key) {
      return null;
    }

    @Override
    public Properties prometheusProperties() {
      var properties = new Properties();
      properties.setProperty("io.prometheus.exporter.exemplarsOnAllMetricTypes", "false");
      return properties;
    }
  }

  /** Adds the names to what Micrometer has. */
  private final class Named extends PrometheusRegistry {
    @Override
    public MetricSnapshots scrape() {
      return new MetricSnapshots(super.scrape().stream().map(Exemplars.this::named).toList());
    }
  }
}
