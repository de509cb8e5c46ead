package dev.rollcall.load.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the figures of one benchmark, with the facts that a reader needs to judge them. The files
 * in docs/figures have this form, and docs/performance.md is made from them.
 *
 * @param commit of the sources that were built, from git; empty if there is none
 */
record BenchReport(
    String name,
    Instant at,
    double seconds,
    double loadBefore,
    Optional<String> commit,
    Bench bench,
    List<BenchCase> cases) {
  private static final Pattern JAR = Pattern.compile("rollcall-agent-(.+)\\.jar");

  JsonObject json() {
    var json =
        new JsonObject()
            .put("bench", name)
            .put("command", command())
            .put("quick", bench.quick())
            .put("at", at.toString())
            .put("seconds", seconds)
            .put("seed", bench.seed());
    version().ifPresent(version -> json.put("version", version));
    commit.ifPresent(of -> json.put("commit", of));
    return json.put(
            "machine",
            Machine.json().put("load_before", loadBefore).put("load_after", Machine.load()))
        .put("cases", new JsonArray(cases.stream().map(BenchCase::json).toList()));
  }

  private String command() {
    String nodes = bench.nodes().stream().map(String::valueOf).collect(Collectors.joining(","));
    return "./rollcall bench "
        + name
        + (nodes.isEmpty() ? "" : " --nodes " + nodes)
        + (bench.quick() ? " --quick" : "");
  }

  /** The version in the name of the distribution's jar. */
  private Optional<String> version() {
    Path jars = bench.distribution().resolve("lib/agent");
    if (!Files.isDirectory(jars)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(jars)) {
      return all.map(jar -> JAR.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(jar -> jar.group(1))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + jars, e);
    }
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
