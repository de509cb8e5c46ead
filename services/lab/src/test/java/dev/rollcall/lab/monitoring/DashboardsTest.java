package dev.rollcall.lab.monitoring;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The dashboards; {@link PrometheusClusterTest} asks a Prometheus every expression of theirs. */
class DashboardsTest {
  private static Map<String, JsonObject> all() throws IOException {
    return Shipped.dashboards();
  }

  @Test
  void areThese() throws IOException {
    assertEquals(
        Set.of(
            "rollcall-cluster.json",
            "rollcall-job.json",
            "rollcall-jobs.json",
            "rollcall-logins.json",
            "rollcall-node-jobs.json",
            "rollcall-node.json",
            "rollcall-user.json"),
        all().keySet());
  }

  @Test
  void haveNamesOfTheirOwnAndTakeAnyDatasource() throws IOException {
    var uids = new HashSet<String>();
    for (var entry : all().entrySet()) {
      JsonObject dashboard = entry.getValue();
      assertTrue(uids.add(dashboard.getString("uid")), entry.getKey());
      assertEquals(entry.getKey(), dashboard.getString("uid") + ".json");
      assertFalse(dashboard.getString("title").isBlank());
      JsonObject datasource = new Panels(dashboard).variables().getFirst();
      assertEquals("datasource", datasource.getString("type"));
      assertEquals("prometheus", datasource.getString("query"));
    }
  }

  /** As docs/metrics.md installs them. */
  @Test
  void areLoadedFromTheFolderThatThePageNames() throws IOException {
    String page = Files.readString(Shipped.HOME.resolve("docs/metrics.md"));
    var provider =
        Shipped.maps(
                Shipped.yaml(Shipped.DASHBOARDS.resolve("provisioning/dashboards/rollcall.yaml"))
                    .get("providers"))
            .getFirst();
    var path = ((Map<?, ?>) requireNonNull(provider.get("options"))).get("path");
    assertTrue(page.contains("deploy/grafana/*.json " + path + "/\n"), () -> "" + path);
    var source =
        Shipped.maps(
                Shipped.yaml(Shipped.DASHBOARDS.resolve("provisioning/datasources/prometheus.yaml"))
                    .get("datasources"))
            .getFirst();
    assertEquals("prometheus", source.get("type"));
  }

  /** The path is the same as in the rules, so that one command replaces both. */
  @Test
  void eachLinksToTheRunbooks() throws IOException {
    for (var entry : all().entrySet()) {
      assertTrue(
          Panels.objects(entry.getValue().getJsonArray("links")).stream()
              .anyMatch(link -> "docs/runbooks.md".equals(link.getString("url"))),
          entry.getKey());
    }
  }

  @Test
  void eachPanelHasATitleAUnitAWordOfExplanationAndTheDatasource() throws IOException {
    for (var entry : all().entrySet()) {
      var ids = new HashSet<Integer>();
      for (JsonObject panel : new Panels(entry.getValue()).panels()) {
        String where = entry.getKey() + ": " + panel.getString("title");
        assertTrue(ids.add(panel.getInteger("id")), where);
        assertFalse(panel.getString("title").isBlank(), where);
        assertFalse(panel.getString("description").isBlank(), where);
        assertFalse(
            panel
                .getJsonObject("fieldConfig")
                .getJsonObject("defaults")
                .getString("unit")
                .isBlank(),
            where);
        assertEquals("${datasource}", panel.getJsonObject("datasource").getString("uid"), where);
        assertFalse(panel.getJsonArray("targets").isEmpty(), where);
      }
    }
  }

  @Test
  void loginTimesShowSingleLoginsByTheirDecisions() throws IOException {
    JsonObject logins = requireNonNull(all().get("rollcall-logins.json"));
    for (String title : List.of("Time of a login in the agent", "Percentiles of it")) {
      JsonObject panel =
          new Panels(logins)
              .panels().stream()
                  .filter(one -> one.getString("title").equals(title))
                  .findFirst()
                  .orElseThrow();
      assertTrue(
          Panels.objects(panel.getJsonArray("targets")).stream()
              .anyMatch(target -> target.getBoolean("exemplar", false)),
          title);
    }
  }

  @Test
  void noPanelLiesOnAnother() throws IOException {
    for (var entry : all().entrySet()) {
      var taken = new HashSet<List<Integer>>();
      for (JsonObject panel : Panels.objects(entry.getValue().getJsonArray("panels"))) {
        JsonObject at = panel.getJsonObject("gridPos");
        assertTrue(at.getInteger("x") + at.getInteger("w") <= 24, entry.getKey());
        for (int x = 0; x < at.getInteger("w"); x++) {
          for (int y = 0; y < at.getInteger("h"); y++) {
            assertTrue(
                taken.add(List.of(at.getInteger("x") + x, at.getInteger("y") + y)),
                () -> entry.getKey() + ": " + panel.getString("title"));
          }
        }
      }
    }
  }

  /** Of the processes' own, or recorded by a rule that is shipped too. */
  @Test
  void eachMetricIsDocumentedOrRecorded() throws IOException {
    Set<String> documented = Shipped.documented();
    Set<String> recorded =
        Shipped.rules().stream()
            .filter(rule -> rule.containsKey("record"))
            .map(rule -> String.valueOf(rule.get("record")))
            .collect(Collectors.toSet());
    for (var entry : all().entrySet()) {
      for (String expression : new Panels(entry.getValue()).expressions()) {
        var unknown = new TreeSet<String>();
        var text = expression;
        for (String name : recorded) {
          text = text.replace(name, "");
        }
        unknown.addAll(Shipped.metrics(text));
        unknown.removeAll(documented);
        assertEquals(Set.of(), unknown, () -> entry.getKey() + ": " + expression);
      }
    }
  }

  /** What nodes tell is of nobody, but for the pages of jobs. */
  @Test
  void noOtherAsksForAUserOrAJob() throws IOException {
    var asked = new ArrayList<String>();
    for (JsonObject dashboard : all().values()) {
      new Panels(dashboard)
          .expressions().stream()
              .filter(expression -> !expression.contains("rollcall_job_"))
              .filter(expression ->
                  expression.matches(".*\\b(user|uid|job_id|pid|address)\\s*(=|,|\\)).*"))
              .forEach(asked::add);
    }
    assertEquals(List.of(), asked);
  }
}
