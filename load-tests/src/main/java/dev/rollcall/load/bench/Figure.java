package dev.rollcall.load.bench;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * A measured value, and how it was spread.
 *
 * @param value what is compared; of many samples the median
 * @param spread by name, as {@code p99}, {@code max}, {@code samples}
 */
public record Figure(double value, Map<String, Double> spread) {
  private static final double[] PERCENTILES = {25, 75, 90, 99, 99.9};

  public Figure {
    spread = Collections.unmodifiableMap(new TreeMap<>(spread));
  }

  /** One that was counted, not sampled. */
  public static Figure of(double value) {
    return new Figure(value, Map.of());
  }

  /**
   * Of samples, in whatever order.
   *
   * @throws BenchFailedException without a sample
   */
  public static Figure ofSamples(double... samples) {
    if (samples.length == 0) {
      throw new BenchFailedException("a figure without a sample");
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    var spread = new TreeMap<String, Double>();
    for (double percentile : PERCENTILES) {
      spread.put(named(percentile), at(sorted, percentile));
    }
    spread.put("min", sorted[0]);
    spread.put("max", sorted[sorted.length - 1]);
    spread.put("samples", (double) sorted.length);
    return new Figure(at(sorted, 50), spread);
  }

  /**
   * @param unit how many of the histogram's units are one of the figure's, as 1e6 for milliseconds
   *     of nanoseconds
   */
  public static Figure of(Histogram histogram, double unit) {
    if (histogram.getTotalCount() == 0) {
      throw new BenchFailedException("a figure without a sample");
    }
    var spread = new TreeMap<String, Double>();
    for (double percentile : PERCENTILES) {
      spread.put(named(percentile), histogram.getValueAtPercentile(percentile) / unit);
    }
    spread.put("min", histogram.getMinValue() / unit);
    spread.put("max", histogram.getMaxValue() / unit);
    spread.put("samples", (double) histogram.getTotalCount());
    return new Figure(histogram.getValueAtPercentile(50) / unit, spread);
  }

  private static String named(double percentile) {
    return percentile == Math.rint(percentile) ? "p" + (int) percentile : "p" + percentile;
  }

  /** Between the two nearest ranks, in proportion. */
  private static double at(double[] sorted, double percentile) {
    double rank = percentile / 100 * (sorted.length - 1);
    int below = (int) rank;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }
}
