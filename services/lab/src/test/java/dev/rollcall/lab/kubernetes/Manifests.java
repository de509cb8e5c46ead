package dev.rollcall.lab.kubernetes;

import com.marcnuri.helm.Helm;
import dev.rollcall.lab.tree.SourceTree;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The chart, rendered by Helm as release "hpc" in namespace "rollcall", with the pod of {@code helm
 * test}.
 */
record Manifests(List<JsonObject> all) {
  private static final Path CHART = SourceTree.DEPLOY.resolve("helm/rollcall");
  private static final String TEST = "templates/tests/gateway.yaml";

  /**
   * @param folder where a copy of the chart may be made; in it the test is no hook, because Helm
   *     leaves hooks out of its output
   * @param values YAML
   */
  static Manifests rendered(Path folder, String values) throws IOException {
    Path copy = Files.createTempDirectory(folder, "chart");
    copyChart(copy);
    Path test = copy.resolve(TEST);
    Files.writeString(test, Files.readString(test).replaceAll("(?m)^ +helm\\.sh/hook.*\n", ""));
    Files.move(test, copy.resolve("templates/test.yaml"));
    Path file = Files.writeString(copy.resolveSibling(copy.getFileName() + ".values"), values);
    String yaml =
        new Helm(copy)
            .template()
            .withName("hpc")
            .withNamespace("rollcall")
            .withKubeVersion("1.33.0")
            .withValuesFile(file)
            .call();
    return new Manifests(parsed(yaml));
  }

  private static void copyChart(Path copy) throws IOException {
    try (var files = Files.walk(CHART)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(CHART.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
  }

  private static List<JsonObject> parsed(String yaml) {
    Iterable<Object> documents = new Load(LoadSettings.builder().build()).loadAllFromString(yaml);
    return StreamSupport.stream(documents.spliterator(), false)
        .filter(document -> document != null)
        .map(document -> new JsonObject(Json.encode(document)))
        .toList();
  }

  List<JsonObject> ofKind(String kind) {
    return all.stream().filter(each -> each.getString("kind").equals(kind)).toList();
  }

  JsonObject only(String kind, String name) {
    return ofKind(kind).stream()
        .filter(each -> name(each).equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  static String name(JsonObject manifest) {
    return manifest.getJsonObject("metadata").getString("name");
  }
}
