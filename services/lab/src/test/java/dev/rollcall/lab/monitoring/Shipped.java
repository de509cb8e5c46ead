package dev.rollcall.lab.monitoring;

import static java.util.Objects.requireNonNull;

import dev.rollcall.lab.tree.SourceTree;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What deploy/ has for a Prometheus and a Grafana. */
final class Shipped {
  static final Path HOME = SourceTree.ROOT;
  static final Path RULES = HOME.resolve("deploy/prometheus/rollcall.rules.yml");
  static final Path RULE_TESTS = HOME.resolve("deploy/prometheus/rollcall.rules.test.yml");
  static final Path HEALTHY = HOME.resolve("deploy/prometheus/rollcall.rules.healthy.test.yml");
  static final Path DASHBOARDS = HOME.resolve("deploy/grafana");

  private static final Pattern METRIC = Pattern.compile("(?<![:\\w])rollcall_[a-z_]+");
  private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(rollcall_[a-z_]+)` \\|.*$");

  private Shipped() {}

  /** The rules of all groups, in order. */
  static List<Map<String, Object>> rules() throws IOException {
    return maps(yaml(RULES).get("groups")).stream()
        .flatMap(group -> maps(group.get("rules")).stream())
        .toList();
  }

  static Map<String, Object> yaml(Path file) throws IOException {
    return maps(List.of(
            requireNonNull(
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file)))))
        .getFirst();
  }

  /** A list of maps out of a YAML file; what is not there is none. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> maps(@Nullable Object list) {
    return list == null ? List.of() : (List<Map<String, Object>>) list;
  }

  /** Each dashboard by its file's name. */
  static Map<String, JsonObject> dashboards() throws IOException {
    try (var files = Files.list(DASHBOARDS)) {
      var dashboards = new TreeMap<String, JsonObject>();
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        dashboards.put(file.getFileName().toString(), new JsonObject(Files.readString(file)));
      }
      return dashboards;
    }
  }

  /** What an expression reads of the processes: not what rules record, whose names have colons. */
  static Set<String> metrics(String expression) {
    return METRIC
        .matcher(expression)
        .results()
        .map(result -> result.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names on both pages, with what a histogram and a timer have behind theirs. */
  static Set<String> documented() throws IOException {
    var names = new TreeSet<String>();
    String pages =
        Files.readString(HOME.resolve("docs/metrics.md"))
            + Files.readString(HOME.resolve("docs/job-metrics.md"));
    DOCUMENTED
        .matcher(pages)
        .results()
        .forEach(row -> {
          names.add(row.group(1));
          names.add(row.group(1).replace("_job_", "_step_"));
          if (row.group(1).endsWith("_seconds")) {
            names.add(row.group(1) + "_count");
            names.add(row.group(1) + "_sum");
            names.add(row.group(1) + "_max");
          }
          if (row.group().contains("**histogram**")) {
            names.add(row.group(1) + "_bucket");
          }
        });
    return names;
  }
}
