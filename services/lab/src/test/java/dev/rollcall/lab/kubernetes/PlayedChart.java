package dev.rollcall.lab.kubernetes;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the chart's manifests as files for {@code podman kube play}, version 5.4. It plays Pod,
 * DaemonSet, ConfigMap and Secret. What it does not know is replaced here, and nothing else is:
 *
 * <ul>
 *   <li>a StatefulSet by its pods, each with a fixed address, which takes the place of {@code
 *       status.podIP};
 *   <li>the Service by lines of {@code /etc/hosts};
 *   <li>{@code fsGroup}, without which a gateway cannot read its Secret, by a readable mode;
 *   <li>names of emptyDirs, which are volumes of the whole machine there, by those with the pod's;
 *       none is in memory, because podman would give each container of a pod its own;
 *   <li>probes, because podman would run curl in the container: the script of the machine reads
 *       their pages from outside, as a kubelet does.
 * </ul>
 *
 * NetworkPolicy, PodDisruptionBudget and ServiceAccount are not played.
 */
record PlayedChart(Manifests chart) {
  private static final List<String> PROBES =
      List.of("startupProbe", "readinessProbe", "livenessProbe");
  private static final String GATEWAY = "hpc-rollcall-gateway";
  private static final String TEST = "hpc-rollcall-test";
  private static final String AGENT = "hpc-rollcall-agent";
  private static final String DOMAIN = ".hpc-rollcall-gateway.rollcall.svc.cluster.local";

  static String addressOf(int gateway) {
    return "10.89.0." + (10 + gateway);
  }

  static String hostOf(int gateway) {
    return GATEWAY + "-" + gateway + DOMAIN;
  }

  /** Writes agent.yaml, gateway-N.yaml, test.yaml and hosts. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    JsonObject agents = chart.only("DaemonSet", AGENT).copy();
    adapt(AGENT, agents.getJsonObject("spec").getJsonObject("template").getJsonObject("spec"));
    write(folder.resolve("agent.yaml"), configOf(AGENT, AGENT + "-audit-only"), agents);

    JsonObject test = chart.only("Pod", TEST).copy();
    adapt(TEST, test.getJsonObject("spec"));
    write(folder.resolve("test.yaml"), List.of(), test);

    JsonObject gateways = chart.only("StatefulSet", GATEWAY).getJsonObject("spec");
    var hosts = new ArrayList<String>();
    for (int number = 0; number < gateways.getInteger("replicas"); number++) {
      JsonObject pod = pod(gateways.getJsonObject("template"), number);
      write(folder.resolve("gateway-" + number + ".yaml"), configOf(GATEWAY), pod);
      hosts.add(addressOf(number) + " " + hostOf(number) + "\n");
    }
    Files.writeString(folder.resolve("hosts"), String.join("", hosts));
  }

  private List<JsonObject> configOf(String... names) {
    return List.of(names).stream().map(name -> chart.only("ConfigMap", name)).toList();
  }

  private static void write(Path file, List<JsonObject> before, JsonObject last)
      throws IOException {
    var documents = new ArrayList<>(before);
    documents.add(last);
    // JSON is YAML.
    Files.writeString(
        file,
        documents.stream().map(JsonObject::encodePrettily).collect(Collectors.joining("\n---\n")));
  }

  /** Pod number N of the StatefulSet. */
  private static JsonObject pod(JsonObject template, int number) {
    String name = GATEWAY + "-" + number;
    JsonObject metadata = template.getJsonObject("metadata").copy().put("name", name);
    JsonObject spec = template.getJsonObject("spec").copy();
    adapt(name, spec);
    for (JsonObject container : containers(spec)) {
      for (JsonObject variable : objects(container.getJsonArray("env", new JsonArray()))) {
        if (variable.encode().contains("status.podIP")) {
          variable.remove("valueFrom");
          variable.put("value", addressOf(number));
        }
      }
    }
    return new JsonObject()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("metadata", metadata)
        .put("spec", spec);
  }

  private static void adapt(String pod, JsonObject spec) {
    containers(spec).forEach(container -> PROBES.forEach(container::remove));
    for (JsonObject volume : objects(spec.getJsonArray("volumes"))) {
      if (volume.containsKey("secret")) {
        volume.getJsonObject("secret").remove("defaultMode");
      }
      if (volume.containsKey("emptyDir")) {
        volume.put("emptyDir", new JsonObject());
        rename(spec, volume, pod + "-" + volume.getString("name"));
      }
    }
  }

  private static void rename(JsonObject spec, JsonObject volume, String name) {
    for (JsonObject container : containers(spec)) {
      for (JsonObject mount : objects(container.getJsonArray("volumeMounts"))) {
        if (mount.getString("name").equals(volume.getString("name"))) {
          mount.put("name", name);
        }
      }
    }
    volume.put("name", name);
  }

  private static List<JsonObject> containers(JsonObject spec) {
    var all = new ArrayList<>(objects(spec.getJsonArray("containers")));
    all.addAll(objects(spec.getJsonArray("initContainers", new JsonArray())));
    return all;
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /** Writes a Secret with these files of a folder, by the names that it has for them. */
  static void writeSecret(Path file, String name, Path folder, Map<String, String> files)
      throws IOException {
    var data = new JsonObject();
    for (var each : files.entrySet()) {
      byte[] bytes = Files.readAllBytes(folder.resolve(each.getValue()));
      data.put(each.getKey(), Base64.getEncoder().encodeToString(bytes));
    }
    var secret = new JsonObject().put("apiVersion", "v1").put("kind", "Secret");
    secret.put("metadata", new JsonObject().put("name", name)).put("data", data);
    write(file, List.of(), secret);
  }
}
