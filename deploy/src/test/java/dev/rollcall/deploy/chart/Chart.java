package dev.rollcall.deploy.chart;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The chart, rendered as release "hpc" in namespace "rollcall". */
final class Chart {
  static final Path HOME =
      Path.of(System.getProperty("rollcall.home", ".."), "deploy/helm/rollcall");

  private final List<Manifest> manifests;

  private Chart(List<Manifest> manifests) {
    this.manifests = manifests;
  }

  static Chart rendered() throws IOException {
    return rendered("");
  }

  /**
   * Renders with these values over the defaults.
   *
   * @param values YAML
   * @throws IllegalStateException with Helm's words, when it refuses
   */
  static Chart rendered(String values) throws IOException {
    return rendered(values, "1.33.0");
  }

  static Chart rendered(String values, String kubernetes) throws IOException {
    return rendered(HOME, values, kubernetes);
  }

  /**
   * Renders what Helm leaves out of its output, as hooks of "helm test": in a copy they are none.
   *
   * @param copy an empty folder
   */
  static Chart renderedWithTests(Path copy, String values) throws IOException {
    copyTo(copy);
    Path test = copy.resolve("templates/tests/gateway.yaml");
    Files.writeString(test, Files.readString(test).replaceAll("(?m)^ +helm\\.sh/hook.*\n", ""));
    Files.move(test, copy.resolve("templates/test.yaml"));
    return rendered(copy, values, "1.33.0");
  }

  private static Chart rendered(Path home, String values, String kubernetes) throws IOException {
    Path file = Files.createTempFile("values", ".yaml");
    try {
      Files.writeString(file, values);
      String yaml =
          new Helm(home)
              .template()
              .withName("hpc")
              .withNamespace("rollcall")
              .withKubeVersion(kubernetes)
              .withValuesFile(file)
              .call();
      return new Chart(parse(yaml));
    } finally {
      Files.delete(file);
    }
  }

  static void copyTo(Path copy) throws IOException {
    try (var files = Files.walk(HOME)) {
      for (Path file : files.toList()) {
        Path to = copy.resolve(HOME.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
  }

  static LintResult linted() {
    return new Helm(HOME).lint().strict().call();
  }

  static List<Manifest> parse(String yaml) {
    var parsed = new ArrayList<Manifest>();
    for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
      if (document != null) {
        parsed.add(new Manifest(document));
      }
    }
    return List.copyOf(parsed);
  }

  List<Manifest> manifests() {
    return manifests;
  }

  List<String> kinds() {
    return manifests.stream().map(manifest -> manifest.at("kind").text()).sorted().toList();
  }

  /** The one manifest of the kind. */
  Manifest only(String kind) {
    return of(kind, "");
  }

  /** The manifest of the kind for the agent or the gateway. */
  Manifest of(String kind, String part) {
    return manifests.stream()
        .filter(manifest -> manifest.at("kind").text().equals(kind))
        .filter(manifest -> manifest.at("metadata", "name").text().endsWith(part))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + part + " among " + kinds()));
  }

  /** A configuration file out of its ConfigMap, parsed. */
  Manifest config(String part, String file) {
    String yaml = of("ConfigMap", part).at("data", file).text();
    return new Manifest(
        Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(yaml)));
  }
}
