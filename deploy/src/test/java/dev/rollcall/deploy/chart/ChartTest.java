package dev.rollcall.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartTest {
  @Test
  void passesLint() {
    var lint = Chart.linted();

    assertFalse(lint.isFailed(), () -> lint.getMessages().toString());
    assertEquals(
        List.of(),
        lint.getMessages().stream().filter(message -> !message.startsWith("[INFO]")).toList());
  }

  /** Shows that lint looks: the same chart with a broken template. */
  @Test
  void lintRefusesABrokenCopy(@TempDir Path copy) throws IOException {
    Chart.copyTo(copy);
    Files.writeString(copy.resolve("templates/broken.yaml"), "kind: {{ .Values.agent.metrics\n");

    assertTrue(new Helm(copy).lint().strict().call().isFailed());
  }

  @Test
  void rendersBothProcessesByDefault() throws IOException {
    assertEquals(
        List.of(
            "ConfigMap",
            "ConfigMap",
            "ConfigMap",
            "DaemonSet",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Service",
            "ServiceAccount",
            "ServiceAccount",
            "StatefulSet"),
        Chart.rendered().kinds());
  }

  @Test
  void rendersTheAgentAloneBesideGatewaysElsewhere() throws IOException {
    Chart chart =
        Chart.rendered("{gateway: {enabled: false}, agent: {gateways: ['gate1.example:7450']}}");

    assertEquals(List.of("ConfigMap", "ConfigMap", "DaemonSet", "ServiceAccount"), chart.kinds());
    assertEquals(
        List.of("gate1.example:7450"),
        chart.config("-agent", "agent.yaml").at("gateways").content());
  }

  @Test
  void everyContainerRunsTheImageOfItsProgram(@TempDir Path copy) throws IOException {
    Chart chart =
        Chart.renderedWithTests(
            copy, "image: {repository: registry.example/hpc/rollcall, tag: v7}");

    assertEquals(Set.of("agent"), programs(chart.only("DaemonSet").at("spec", "template")));
    assertEquals(Set.of("gateway"), programs(chart.only("StatefulSet").at("spec", "template")));
    assertEquals(Set.of("command"), programs(chart.only("Pod")));
  }

  private static Set<String> programs(Manifest pod) {
    var programs = new TreeSet<String>();
    for (String kind : List.of("initContainers", "containers")) {
      if (pod.at("spec").has(kind)) {
        for (Manifest container : pod.at("spec", kind).each().toList()) {
          String image = container.at("image").text();
          assertTrue(image.matches("registry\\.example/hpc/rollcall-[a-z]+:v7"), image);
          programs.add(image.replaceAll(".*-|:.*", ""));
        }
      }
    }
    return programs;
  }

  @Test
  void noPodGetsATokenOfTheApiServer() throws IOException {
    Chart chart = Chart.rendered();

    for (String kind : List.of("DaemonSet", "StatefulSet")) {
      Manifest pod = chart.only(kind).at("spec", "template", "spec");
      assertEquals(false, pod.at("automountServiceAccountToken").content());
    }
  }

  @Test
  void selectorsMatchTheLabelsOfTheirPods() throws IOException {
    Chart chart = Chart.rendered();

    for (String kind : List.of("DaemonSet", "StatefulSet")) {
      Manifest spec = chart.only(kind).at("spec");
      Manifest labels = spec.at("template", "metadata", "labels");
      for (String label : List.of("name", "instance", "component")) {
        String key = "app.kubernetes.io/" + label;
        assertEquals(labels.at(key), spec.at("selector", "matchLabels", key));
      }
    }
  }
}
