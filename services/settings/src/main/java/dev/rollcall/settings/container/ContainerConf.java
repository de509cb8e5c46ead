package dev.rollcall.settings.container;

import dev.rollcall.settings.FileText;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The settings of the site's container file, for all nodes. */
public final class ContainerConf {
  private final Layers layers;

  private ContainerConf(Layers layers) {
    this.layers = layers;
  }

  /**
   * Reads a file in either of Slurm's syntaxes: one that is named {@code .yaml} or {@code .yml} is
   * YAML, and with another name its first line tells.
   */
  public static ContainerReading read(Path file) {
    var findings = new Findings();
    Layers layers =
        switch (FileText.of(file)) {
          case FileText.Text(String text) when isYaml(file, text) ->
              new YamlReader(file.toString(), findings).read(text);
          // It finds as well why a file cannot be read.
          case FileText.Text _, FileText.Unreadable _ -> new ConfReader(findings).read(file);
        };
    new Checks(layers, findings).all();
    return findings.problems().isEmpty()
        ? new ContainerReading.Good(new ContainerConf(layers), findings.notes())
        : new ContainerReading.Bad(findings.problems());
  }

  private static boolean isYaml(Path file, String text) {
    if (file.toString().toLowerCase(Locale.ROOT).matches(".*\\.ya?ml")) {
      return true;
    }
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .findFirst()
        .map(line -> line.matches("---.*|%YAML.*|\\{.*|[A-Za-z_]+\\s*:(\\s.*)?"))
        .orElse(false);
  }

  /** What the jobs of a node get, with its names in all paths. */
  public JobContainer on(String node, String host) {
    return layers
        .together(layers.counting(part -> layers.parts().get(part).isFor(node)))
        .container()
        .on(node, host);
  }

  /** Every node that the file names, together with those whose jobs get the same; others last. */
  public List<NodeSet> sets() {
    return new NodeSets(layers).sets();
  }
}
