package dev.rollcall.wire.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProcessMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private Map<String, Double> page() {
    return registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)),
                (one, _) -> one));
  }

  private double value(String name) {
    Double value = page().get(name);
    assertTrue(value != null, name);
    return value;
  }

  @Test
  void theProcessAndItsJvmAreReadWhenScraped() {
    ProcessMetrics.register("0.1.0", registry);
    String java = Runtime.version().toString();
    assertEquals(1, value("rollcall_build_info{java=\"" + java + "\",version=\"0.1.0\"}"));
    double started = value("process_start_time_seconds");
    assertTrue(started > 1e9 && started < Instant.now().toEpochMilli() / 1e3);
    assertTrue(value("process_cpu_seconds_total") > 0);
    assertTrue(value("process_open_fds") > 3);
    assertTrue(value("process_open_fds") <= value("process_max_fds"));
    double resident = value("process_resident_memory_bytes");
    assertTrue(resident > 1 << 20 && resident < value("process_virtual_memory_bytes"));
    double used = value("jvm_memory_used_bytes{area=\"heap\"}");
    double committed = value("jvm_memory_committed_bytes{area=\"heap\"}");
    assertTrue(used > 0 && used <= committed);
    assertTrue(committed <= value("jvm_memory_max_bytes{area=\"heap\"}"));
    assertTrue(
        page().keySet().stream()
            .anyMatch(name -> name.startsWith("jvm_gc_collection_seconds_sum")));
    double collections = collections();
    System.gc();
    assertTrue(collections() > collections);
  }

  private double collections() {
    return page().entrySet().stream()
        .filter(each -> each.getKey().startsWith("jvm_gc_collection_seconds_count"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void noLabelIsOfTheMachine() {
    ProcessMetrics.register("0.1.0", registry);
    Set<String> labels =
        page().keySet().stream()
            .flatMap(name -> java.util.regex.Pattern.compile("(\\w+)=").matcher(name).results())
            .map(label -> label.group(1))
            .collect(Collectors.toSet());
    assertEquals(Set.of("version", "java", "area", "gc"), labels);
  }
}
