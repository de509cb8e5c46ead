package dev.rollcall.load.lookup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Holds the result of a load.
 *
 * @param seconds from the first question to the last answer
 * @param failures of streams, each once
 */
record LoadReport(
    LoadOptions options, long asked, double seconds, LookupTally tally, List<String> failures) {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  boolean complete() {
    return failures.isEmpty() && tally.answered() == asked && tally.malformed.sum() == 0;
  }

  /** One object; latencies in microseconds, counted from when each question was due. */
  String json() {
    var fields = new LinkedHashMap<String, String>();
    fields.put("rate", Integer.toString(options.rate()));
    fields.put("streams", Integer.toString(options.streams()));
    fields.put("tls", Boolean.toString(options.tls().isPresent()));
    fields.put("seconds", decimal(seconds));
    counts().forEach((name, count) -> fields.put(name, count.toString()));
    fields.put("answered_per_second", decimal(tally.answered() / seconds));
    fields.put("latency_us", percentiles(tally.latency));
    fields.put("sender_lag_us", percentiles(tally.lag));
    fields.put(
        "failures",
        failures.stream().map(LoadReport::quoted).collect(Collectors.joining(",", "[", "]")));
    return object(fields);
  }

  String text() {
    String counts =
        counts().entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey())
            .collect(Collectors.joining(", "));
    return """
    %s
    %s answers a second over %s s, %d asked for, %d streams%s
    latency us  %s
    sender lag  %s%s\
    """
        .formatted(
            counts,
            decimal(tally.answered() / seconds),
            decimal(seconds),
            options.rate(),
            options.streams(),
            options.tls().isPresent() ? ", TLS" : "",
            percentiles(tally.latency),
            percentiles(tally.lag),
            failures.stream().map(f -> "\n" + f).collect(Collectors.joining()));
  }

  private Map<String, Long> counts() {
    var counts = new LinkedHashMap<String, Long>();
    counts.put("asked", asked);
    counts.put("answered", tally.answered());
    counts.put("found", tally.found.sum());
    counts.put("unknown", tally.unknown.sum());
    counts.put("unreachable", tally.unreachable.sum());
    counts.put("malformed", tally.malformed.sum());
    return counts;
  }

  private static String percentiles(Histogram nanos) {
    var fields = new LinkedHashMap<String, String>();
    for (double p : PERCENTILES) {
      String name = "p" + (p == Math.rint(p) ? Integer.toString((int) p) : Double.toString(p));
      fields.put(name, micros(nanos.getValueAtPercentile(p)));
    }
    fields.put("max", micros(nanos.getMaxValue()));
    return object(fields);
  }

  private static String micros(long nanos) {
    return decimal(nanos / 1000.0);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String object(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(e -> quoted(e.getKey()) + ":" + e.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.chars()
        .forEach(c -> {
          if (c < ' ') {
            quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
          } else {
            quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
          }
        });
    return quoted.append('"').toString();
  }
}
