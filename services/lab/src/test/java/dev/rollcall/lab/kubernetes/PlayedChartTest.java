package dev.rollcall.lab.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlayedChartTest {
  @TempDir private Path folder = Path.of("");

  private Path play = Path.of("");
  private Manifests chart = new Manifests(List.of());

  @BeforeEach
  void write() throws Exception {
    chart = Manifests.rendered(folder, "gateway: {replicas: 2}");
    play = folder.resolve("play");
    new PlayedChart(chart).write(play);
  }

  private List<JsonObject> documents(String file) throws Exception {
    return Stream.of(Files.readString(play.resolve(file)).split("\n---\n", -1))
        .map(JsonObject::new)
        .toList();
  }

  private JsonObject last(String file) throws Exception {
    return documents(file).getLast();
  }

  @Test
  void theDaemonSetOfTheAgentsIsPlayedWithItsConfiguration() throws Exception {
    List<String> kinds =
        documents("agent.yaml").stream().map(each -> each.getString("kind")).toList();
    assertEquals(List.of("ConfigMap", "ConfigMap", "DaemonSet"), kinds);
  }

  @Test
  void eachPodOfTheStatefulSetHasItsNameAndAddress() throws Exception {
    for (int number = 0; number < 2; number++) {
      JsonObject pod = last("gateway-" + number + ".yaml");
      assertEquals("Pod", pod.getString("kind"));
      assertEquals("hpc-rollcall-gateway-" + number, Manifests.name(pod));
      assertFalse(pod.encode().contains("status.podIP"), pod::encode);
      assertTrue(pod.encode().contains("\"10.89.0.1" + number + "\""), pod::encode);
      assertTrue(pod.encode().contains("metadata.name"), pod::encode);
    }
    assertEquals(2, Files.readString(play.resolve("hosts")).lines().count());
  }

  /** All that says what a container may do stays as the chart has it. */
  @Test
  void rightsAndMountsOfHostPathsAreTheChartsOwn() throws Exception {
    JsonObject rendered = spec(chart.only("DaemonSet", "hpc-rollcall-agent"));
    JsonObject played = spec(last("agent.yaml"));
    for (String key : List.of("hostPID", "hostNetwork", "dnsPolicy")) {
      assertEquals(rendered.getValue(key), played.getValue(key));
    }
    for (String key : List.of("securityContext", "command", "resources", "image")) {
      assertEquals(agent(rendered).getValue(key), agent(played).getValue(key));
    }
    String ofHost = hostPaths(rendered);
    assertTrue(ofHost.contains("/sys/fs/bpf"), ofHost);
    assertEquals(ofHost, hostPaths(played));
  }

  private static JsonObject spec(JsonObject daemonSet) {
    return daemonSet.getJsonObject("spec").getJsonObject("template").getJsonObject("spec");
  }

  private static JsonObject agent(JsonObject spec) {
    return spec.getJsonArray("containers").getJsonObject(0);
  }

  private static String hostPaths(JsonObject spec) {
    return spec.getJsonArray("volumes").stream()
        .map(JsonObject.class::cast)
        .filter(volume -> volume.containsKey("hostPath"))
        .toList()
        .toString();
  }

  @Test
  void emptyDirsAreThePodsOwn() throws Exception {
    JsonObject spec = last("gateway-1.yaml").getJsonObject("spec");
    String mounts = spec.getJsonArray("initContainers").encode();
    assertTrue(mounts.contains("\"hpc-rollcall-gateway-1-config\""), mounts);
    assertTrue(mounts.contains("\"template\""), mounts);
    assertFalse(spec.encode().contains("Memory"), spec::encode);
  }
}
