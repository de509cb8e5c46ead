package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By the sources: a scrape has no meter that is made when it is needed first. */
class MetricsPageTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Pattern REGISTERED =
      Pattern.compile(
          "(?:\\.(counter|timer|gauge)\\(|new EnumCounters<>\\(\\s*registry,)"
              + "\\s*\"(rollcall[a-z.]+)\"\\s*(?:,\\s*(?:Tags\\.of\\(\\s*)?\"([a-z]+)\"\\s*,)?");

  /** The four meters of a file with lines have one name before theirs. */
  private static final Pattern OF_LINES =
      Pattern.compile("LineMeters\\.of\\(registry, \"(rollcall[a-z.]+)\"\\)");

  private static final String FOUR =
      ".counter(\"$1.lines\") .counter(\"$1.failures\") .counter(\"$1.lost\") .gauge(\"$1.waiting\")";

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(rollcall[a-z_]+)` \\| (?:`([a-z]+)`)? ?\\|");

  private static final Pattern ALERT =
      Pattern.compile("(?s)- alert: (\\w+)\n.*?severity: (\\w+), component: (\\w+)");
  private static final Pattern ALERT_ROW =
      Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| (\\w+) \\|");

  private static final Pattern NAMED = Pattern.compile("\"(rollcall\\.[a-z.]+)\"");

  /** What services/wire registers for the programs. */
  private static final Pattern OF_WIRE = Pattern.compile("rollcall[._](peer|memory)[._].*");

  @ParameterizedTest
  @CsvSource({"services/agent, ## Agent", "gateway, ## Gateway"})
  void listsEveryMeterOfTheCodeWithItsLabelAndNoOther(String module, String heading)
      throws IOException {
    Set<String> page =
        found(
            ROW,
            Page.read("metrics.md").section(heading).text(),
            row -> labelled(row.group(1), row.group(2)));

    page.removeIf(row -> OF_WIRE.matcher(row).matches());
    assertEquals(registered(module), page);
  }

  @ParameterizedTest
  @CsvSource({"services/agent, agent", "gateway, gateway"})
  void everyMeterHasItsHelp(String module, String name) throws IOException {
    var words = new Properties();
    try (var file =
        Files.newInputStream(
            HOME.resolve(module)
                .resolve("src/main/resources/dev/rollcall/" + name + "/meters.properties"))) {
      words.load(file);
    }
    Set<String> named = new TreeSet<>();
    try (var files = Files.walk(HOME.resolve(module).resolve("src/main/java"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        named.addAll(found(REGISTERED, source(file), meter -> meter.group(2)));
      }
    }
    words.remove("histograms");
    var helped = new TreeSet<>(words.stringPropertyNames());
    helped.removeIf(meter -> OF_WIRE.matcher(meter).matches());
    assertEquals(named, helped);
  }

  @Test
  void listsEveryAlertWithItsSeverityAndComponent() throws IOException {
    String rules = Files.readString(HOME.resolve("deploy/prometheus/rollcall.rules.yml"));
    Set<String> alerts = found(ALERT, rules, MetricsPageTest::alert);
    String page = Page.read("metrics.md").section("## Alerts").text();
    assertEquals(alerts, found(ALERT_ROW, page, MetricsPageTest::alert));
  }

  private static String alert(MatchResult found) {
    return found.group(1) + " " + found.group(2) + " " + found.group(3);
  }

  private static Set<String> registered(String module) throws IOException {
    Set<String> registered = new TreeSet<>();
    try (var files = Files.walk(HOME.resolve(module).resolve("src/main/java"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String source = source(file);
        if (source.contains("io.micrometer")) {
          // A way of registering that the pattern does not know must not go unseen.
          assertEquals(
              found(NAMED, source, name -> name.group(1)),
              found(REGISTERED, source, meter -> meter.group(2)),
              file.toString());
          registered.addAll(
              found(REGISTERED, source, meter -> labelled(exposed(meter), meter.group(3))));
        }
      }
    }
    assertTrue(registered.size() > 3, () -> "too few in " + module + ": " + registered);
    return registered;
  }

  private static String source(Path file) throws IOException {
    return OF_LINES.matcher(Files.readString(file)).replaceAll(FOUR);
  }

  /** As Prometheus' naming convention has it. */
  private static String exposed(MatchResult meter) {
    String name = meter.group(2).replace('.', '_');
    return switch (meter.group(1)) {
      case null -> name + "_total"; // of EnumCounters
      case "counter" -> name + "_total";
      case "timer" -> name + "_seconds";
      default -> name;
    };
  }

  private static String labelled(String name, @Nullable String label) {
    return label == null ? name : name + " by " + label;
  }

  private static Set<String> found(
      Pattern pattern, String text, Function<MatchResult, String> read) {
    return pattern.matcher(text).results().map(read).collect(Collectors.toCollection(TreeSet::new));
  }
}
