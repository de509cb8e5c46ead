package dev.rollcall.load.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a benchmark measured, with what is needed to judge it. */
record BenchReport(
    String name,
    Instant at,
    double seconds,
    double loadBefore,
    Bench bench,
    List<BenchCase> cases) {
  JsonObject json() {
    return new JsonObject()
        .put("bench", name)
        .put("command", "./rollcall bench " + name + (bench.quick() ? " --quick" : ""))
        .put("quick", bench.quick())
        .put("at", at.toString())
        .put("seconds", seconds)
        .put("seed", bench.seed())
        .put("machine", machine())
        .put("cases", new JsonArray(cases.stream().map(BenchCase::json).toList()));
  }

  private JsonObject machine() {
    return new JsonObject()
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("kernel", System.getProperty("os.version"))
        .put("java", Runtime.version().toString())
        .put("load_before", loadBefore)
        .put("load_after", load());
  }

  /** The machine's load average of the last minute; proc_loadavg(5). */
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  Path write() {
    try {
      return Files.writeString(
          bench.folder().resolve(name + ".json"), json().encodePrettily() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the figures of " + name, e);
    }
  }

  /** A table for people. */
  String text() {
    int width = cases.stream().mapToInt(one -> one.name().length()).max().orElse(0);
    String row = "  %-" + Math.max(width, 4) + "s %12s %12s %12s %8s%n";
    var text = new StringBuilder(row.formatted(name, "ours", "peer", "floor", "ratio"));
    for (BenchCase one : cases) {
      text.append(
          row.formatted(
              one.name(),
              number(Optional.of(one.ours())) + " " + one.unit(),
              number(one.peer()),
              number(one.floor()),
              one.ratio().map(ratio -> String.format(Locale.ROOT, "%.1f", ratio)).orElse("-")));
    }
    return text.toString();
  }

  private static String number(Optional<Figure> figure) {
    return figure.map(some -> String.format(Locale.ROOT, "%.4g", some.value())).orElse("-");
  }
}
