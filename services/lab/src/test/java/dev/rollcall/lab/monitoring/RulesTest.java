package dev.rollcall.lab.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules for Prometheus. promtool comes with what {@code ./rollcall test} installs. */
@Tag("root")
class RulesTest {
  private static final Duration DEADLINE = Patience.ofSeconds(60);
  private static final Set<String> SEVERITIES = Set.of("critical", "warning", "info");
  private static final Set<String> COMPONENTS =
      Set.of(
          "agent",
          "callers",
          "gateway",
          "jobs",
          "logins",
          "memory",
          "monitoring",
          "records",
          "slurm",
          "tls");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  private static Result promtool(String... words) {
    var argv = new ArrayList<>(List.of("promtool"));
    argv.addAll(List.of(words));
    return Running.run(DEADLINE, argv);
  }

  private static List<Map<String, Object>> alerts() throws IOException {
    return Shipped.rules().stream().filter(rule -> rule.containsKey("alert")).toList();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> texts(Map<String, Object> rule, String key) {
    return (Map<String, String>) rule.getOrDefault(key, Map.of());
  }

  @Test
  void promtoolTakesThem() {
    Result checked = promtool("check", "rules", Shipped.RULES.toString());
    assertTrue(checked.ok(), checked::err);
  }

  @Test
  void eachAlertFiresOnItsCauseAndNoneOnAHealthySite() {
    Result tested =
        promtool("test", "rules", Shipped.RULE_TESTS.toString(), Shipped.HEALTHY.toString());
    assertTrue(tested.ok(), () -> tested.out() + tested.err());
  }

  /** Shows that the series of the healthy site have what would fire a rule without care. */
  @Test
  void aRuleThatFiresOnAHealthySiteFailsItsTest(@TempDir Path folder) throws IOException {
    String rules = Files.readString(Shipped.RULES);
    for (Map.Entry<String, String> careless :
        Map.of(
                "node:rollcall_agent_up{file=\"\"} == 0", "up{job=\"rollcall-agent\"} == 0",
                "< 0.05 *", "< 0.5 *",
                "newest-job|caller-unknown\"", "newest-job|caller-elsewhere\"",
                "rollcall_job_memory_part_bytes{part=\"anonymous\"}", "rollcall_job_memory_bytes",
                "[15m])) < 0.001", "[15m])) < 2",
                "> 0.5\n", "> 0.2\n")
            .entrySet()) {
      String changed = rules.replace(careless.getKey(), careless.getValue());
      assertNotEquals(rules, changed, careless::getKey);
      rules = changed;
    }
    Files.writeString(folder.resolve("rollcall.rules.yml"), rules);
    Path tests = Files.copy(Shipped.HEALTHY, folder.resolve("tests.yml"));
    Result tested = promtool("test", "rules", tests.toString());
    for (String alert :
        List.of(
            "AgentDown",
            "CertificateEnds",
            "CallersUndetermined",
            "JobGpuUnused",
            "JobNearMemoryLimit",
            "JobWaitsForIo")) {
      String fired = "alertname=\"Rollcall" + alert + "\", alertstate=\"firing\"";
      assertTrue((tested.out() + tested.err()).contains(fired), alert);
    }
  }

  /** Shows that the tests look: a rule that never fires fails them. */
  @Test
  void aRuleThatNeverFiresFailsItsTest(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("rollcall.rules.yml"),
        Files.readString(Shipped.RULES)
            .replace("rollcall_stream_connected == 0", "rollcall_stream_connected > 1"));
    Path tests = folder.resolve("rollcall.rules.test.yml");
    Files.writeString(tests, testsOf("RollcallWithoutGateway"));
    Result tested = promtool("test", "rules", tests.toString());
    assertNotEquals(0, tested.exit());
    assertTrue((tested.out() + tested.err()).contains("RollcallWithoutGateway"), tested::out);
  }

  /** The file of the tests with those alone that name an alert. */
  private static String testsOf(String alert) throws IOException {
    String[] parts = Files.readString(Shipped.RULE_TESTS).split("(?m)^(?= {2}- name: )");
    return Stream.concat(
            Stream.of(parts[0]),
            Stream.of(parts).skip(1).filter(part -> part.contains("alertname: " + alert)))
        .collect(Collectors.joining());
  }

  @Test
  void eachRuleIsTried() throws IOException {
    var fire = new TreeSet<String>();
    var rest = new TreeSet<String>();
    var expressions = new StringBuilder();
    var tests = new ArrayList<>(Shipped.maps(Shipped.yaml(Shipped.RULE_TESTS).get("tests")));
    tests.addAll(Shipped.maps(Shipped.yaml(Shipped.HEALTHY).get("tests")));
    for (Map<String, Object> one : tests) {
      for (Map<String, Object> alert : Shipped.maps(one.get("alert_rule_test"))) {
        boolean expected = !Shipped.maps(alert.get("exp_alerts")).isEmpty();
        (expected ? fire : rest).add(String.valueOf(alert.get("alertname")));
      }
      expressions.append(one.get("promql_expr_test"));
    }
    Set<String> alerts =
        alerts().stream()
            .map(rule -> String.valueOf(rule.get("alert")))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(alerts, fire);
    assertEquals(alerts, rest);
    for (Map<String, Object> rule : Shipped.rules()) {
      if (rule.get("record") instanceof String recorded) {
        assertTrue(expressions.indexOf(recorded) >= 0, recorded);
      }
    }
  }

  @Test
  void eachAlertIsCausedOnAClusterOrHasAReasonWhyNot() throws IOException {
    Set<String> alerts =
        alerts().stream()
            .map(rule -> String.valueOf(rule.get("alert")))
            .collect(Collectors.toCollection(TreeSet::new));
    var listed = AlertsClusterTest.caused();
    var twice = new TreeSet<>(listed);
    twice.retainAll(AlertsClusterTest.NOT_CAUSED.keySet());
    assertEquals(Set.of(), twice);
    listed.addAll(AlertsClusterTest.NOT_CAUSED.keySet());
    assertEquals(alerts, listed);
  }

  @Test
  void eachAlertHasItsSeverityComponentTextsAndRunbook() throws IOException {
    var problems = new TreeMap<String, String>();
    for (Map<String, Object> alert : alerts()) {
      String name = String.valueOf(alert.get("alert"));
      if (!SEVERITIES.contains(texts(alert, "labels").getOrDefault("severity", "none"))) {
        problems.put(name, "severity");
      }
      if (!COMPONENTS.contains(texts(alert, "labels").getOrDefault("component", "none"))) {
        problems.put(name, "component");
      }
      for (String key : List.of("summary", "description", "runbook_url")) {
        if (texts(alert, "annotations").getOrDefault(key, "").isBlank()) {
          problems.put(name, key);
        }
      }
      String runbook = texts(alert, "annotations").getOrDefault("runbook_url", "");
      if (!runbook.equals("docs/runbooks.md#" + name.toLowerCase(Locale.ROOT))
          || !anchors(runbook.replaceFirst("#.*", "")).contains(runbook.replaceFirst(".*#", ""))) {
        problems.put(name, runbook);
      }
    }
    assertEquals(Map.of(), problems);
  }

  /** As GitHub makes them of headings. */
  private static Set<String> anchors(String page) throws IOException {
    return HEADING
        .matcher(Files.readString(Shipped.HOME.resolve(page)))
        .results()
        .map(heading ->
            heading
                .group(1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void eachMetricOfARuleIsDocumented() throws IOException {
    Set<String> documented = Shipped.documented();
    for (Map<String, Object> rule : Shipped.rules()) {
      Set<String> used = Shipped.metrics(String.valueOf(rule.get("expr")));
      used.removeAll(documented);
      assertEquals(Set.of(), used, () -> String.valueOf(rule));
    }
  }
}
