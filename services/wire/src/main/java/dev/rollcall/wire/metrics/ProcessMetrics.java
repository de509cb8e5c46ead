package dev.rollcall.wire.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the version, the process and its JVM when they are scraped, and keeps nothing between two
 * scrapes. Names are those of Prometheus' client libraries; what the kernel does not tell is
 * absent.
 */
public final class ProcessMetrics implements MultiCollector {
  private static final Path SELF = Path.of("/proc/self");

  private final MetricSnapshot build;
  private final Optional<Instant> started = ProcessHandle.current().info().startInstant();

  /**
   * Adds them to what a registry has.
   *
   * @param version of Rollcall
   */
  public static void register(String version, PrometheusMeterRegistry registry) {
    registry.getPrometheusRegistry().register(new ProcessMetrics(version));
  }

  private ProcessMetrics(String version) {
    Labels labels = Labels.of("version", version, "java", Runtime.version().toString());
    build =
        InfoSnapshot.builder()
            .name("rollcall_build")
            .help("Versions of Rollcall and of its Java")
            .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder().labels(labels).build())
            .build();
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> all = new ArrayList<>(List.of(build));
    started.ifPresent(at ->
        all.add(
            gauge("process_start_time_seconds", "Start of the process", at.toEpochMilli() / 1e3)));
    ProcessHandle.current().info().totalCpuDuration().ifPresent(time -> all.add(cpu(time)));
    try {
      all.add(gauge("process_open_fds", "Open file descriptors", (double) open()));
      field(SELF.resolve("limits"), "Max open files")
          .ifPresent(most -> all.add(gauge("process_max_fds", "Most open file descriptors", most)));
      field(SELF.resolve("status"), "VmRSS:")
          .ifPresent(kib -> all.add(memory("resident", "Resident memory", kib)));
      field(SELF.resolve("status"), "VmSize:")
          .ifPresent(kib -> all.add(memory("virtual", "Virtual memory", kib)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime jvm = Runtime.getRuntime();
    all.add(heap("used", "In use, with garbage", jvm.totalMemory() - jvm.freeMemory()));
    all.add(heap("committed", "Taken from the system", jvm.totalMemory()));
    all.add(heap("max", "The limit", jvm.maxMemory()));
    all.add(collections());
    return new MetricSnapshots(all);
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return gauge(name, help, value, Labels.EMPTY);
  }

  private static GaugeSnapshot gauge(String name, String help, double value, Labels labels) {
    var point = GaugeSnapshot.GaugeDataPointSnapshot.builder().value(value).labels(labels).build();
    return GaugeSnapshot.builder().name(name).help(help).dataPoint(point).build();
  }

  private static GaugeSnapshot memory(String kind, String help, double kibibytes) {
    return gauge("process_" + kind + "_memory_bytes", help, kibibytes * 1024);
  }

  private static GaugeSnapshot heap(String what, String help, long bytes) {
    return gauge("jvm_memory_" + what + "_bytes", help, (double) bytes, Labels.of("area", "heap"));
  }

  private static CounterSnapshot cpu(Duration time) {
    var point =
        CounterSnapshot.CounterDataPointSnapshot.builder().value(time.toNanos() / 1e9).build();
    return CounterSnapshot.builder()
        .name("process_cpu_seconds")
        .help("CPU time of the process, user and system")
        .dataPoint(point)
        .build();
  }

  private static SummarySnapshot collections() {
    var all = SummarySnapshot.builder().name("jvm_gc_collection_seconds").help("Collections");
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      all.dataPoint(
          SummarySnapshot.SummaryDataPointSnapshot.builder()
              .labels(Labels.of("gc", each.getName()))
              .count(each.getCollectionCount())
              .sum(each.getCollectionTime() / 1e3)
              .build());
    }
    return all.build();
  }

  private static long open() throws IOException {
    try (Stream<Path> files = Files.list(SELF.resolve("fd"))) {
      return files.count() - 1; // without that of the list
    }
  }

  /** The first number behind a name; "unlimited" is none. */
  private static Optional<Double> field(Path file, String name) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0])
          .filter(value -> value.chars().allMatch(Character::isDigit))
          .map(Double::valueOf)
          .findFirst();
    }
  }
}
