package dev.rollcall.wire.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExemplarsTest {
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
  private static final String TIME_STAMP = " [0-9]{10}\\.[0-9]{3}$";

  private final Exemplars exemplars = new Exemplars();
  private final MeterRegistry registry = exemplars.registry();

  @BeforeEach
  void giveWords() {
    registry.config().meterFilter(new MeterDescriptions(ExemplarsTest.class));
  }

  private void adopted(String decision, Duration took) {
    exemplars.count(registry.counter("test.sessions", "outcome", "adopted"), decision);
    exemplars.record(registry.timer("test.sessions.time"), took, decision);
  }

  private Stream<String> lines() {
    return exemplars.registry().scrape(OPEN_METRICS).lines();
  }

  /** The lines that name a decision, without the time. */
  private List<String> named() {
    return lines()
        .filter(line -> line.contains("decision_id"))
        .peek(line -> assertTrue(line.matches(".*" + TIME_STAMP), line))
        .map(line -> line.replaceFirst(TIME_STAMP, ""))
        .toList();
  }

  @Test
  void eachBucketAndCounterNamesTheLastDecisionThatItCounted() {
    adopted("a-1", Duration.ofMillis(3));
    adopted("a-2", Duration.ofMillis(4));
    adopted("a-3", Duration.ofMillis(30));
    assertEquals(
        List.of(
            "test_sessions_total{outcome=\"adopted\"} 3.0 # {decision_id=\"a-3\"} 1.0",
            "test_sessions_time_seconds_bucket{le=\"0.005\"} 2 # {decision_id=\"a-2\"} 0.004",
            "test_sessions_time_seconds_bucket{le=\"0.05\"} 3 # {decision_id=\"a-3\"} 0.03"),
        named());
  }

  @ParameterizedTest
  @CsvSource({"0, 0.001", "1, 0.001", "2, 0.002", "10000, 10.0", "10001, +Inf"})
  void aTimeIsNamedInTheBucketThatCountsIt(long millis, String bucket) {
    adopted("a-1", Duration.ofMillis(millis));
    String found =
        named().stream()
            .filter(line -> line.contains("_bucket"))
            .map(line -> line.replaceFirst(".*le=\"([^\"]*)\".*", "$1"))
            .collect(Collectors.joining(" "));
    assertEquals(bucket, found);
  }

  @Test
  void otherOutcomesAreNotNamedByIt() {
    registry.counter("test.sessions", "outcome", "denied");
    adopted("a-1", Duration.ofMillis(3));
    assertTrue(lines().anyMatch("test_sessions_total{outcome=\"denied\"} 0.0"::equals));
  }

  @Test
  void theOldTextHasTheSameSeriesWithoutNames() {
    adopted("a-1", Duration.ofMillis(3));
    String text = exemplars.registry().scrape("text/plain; version=0.0.4");
    assertFalse(text.contains("a-1"), text);
    List<String> lines = text.lines().toList();
    for (String line :
        List.of(
            "# HELP test_sessions_time_seconds From the request to the reply",
            "# TYPE test_sessions_time_seconds histogram",
            "test_sessions_total{outcome=\"adopted\"} 1.0",
            "test_sessions_time_seconds_bucket{le=\"0.002\"} 0",
            "test_sessions_time_seconds_bucket{le=\"0.005\"} 1",
            "test_sessions_time_seconds_bucket{le=\"+Inf\"} 1",
            "test_sessions_time_seconds_sum 0.003",
            "test_sessions_time_seconds_max 0.003")) {
      assertTrue(lines.contains(line), () -> line + " is not in\n" + text);
    }
  }
}
