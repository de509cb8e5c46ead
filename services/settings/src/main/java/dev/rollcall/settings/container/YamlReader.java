package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.FileText;
import dev.rollcall.settings.Hostlist;
import dev.rollcall.settings.NearestWord;
import dev.rollcall.settings.container.YamlNodes.Entry;
import dev.rollcall.settings.container.YamlNodes.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code namespace.yaml}: defaults, and a list of nodes with what is other for them. */
final class YamlReader {
  private final Findings findings;
  private final YamlNodes nodes;
  private final YamlOptions options;
  private final FilePosition whole;
  private final SectionParser below;
  private final List<Layer> parts = new ArrayList<>();

  YamlReader(String file, Findings findings) {
    this.findings = findings;
    nodes = new YamlNodes(file);
    options = new YamlOptions(nodes, findings);
    whole = new FilePosition(file, 0);
    below = new SectionParser(findings, false);
  }

  Layers read(String text) {
    if (text.indexOf(FileText.NOT_UTF_8) >= 0) {
      below.wrong(whole, "is not text in UTF-8"); // nor does Slurm's YAML library take it
    }
    nodes.root(text, below).ifPresent(root -> nodes.entries("", root, below).forEach(this::take));
    var layer = new Layer(Optional.empty(), whole, below.fields(), below.clean());
    return new Layers(Layers.Syntax.YAML, layer, parts);
  }

  private void take(Entry entry) {
    switch (entry.lower()) {
      case "defaults" -> options.read(entry.name(), entry.value(), below);
      case "disable_bpf_token" -> options.take(entry, below);
      case "node_confs" -> nodes.items(entry.name(), entry.value(), below).forEach(this::takeNodes);
      default -> unknown(entry, List.of("defaults", "disable_bpf_token", "node_confs"), below);
    }
  }

  private void takeNodes(Node node) {
    var saying = new SectionParser(findings, false);
    Optional<Hostlist> list = Optional.empty();
    boolean named = false;
    boolean said = false;
    for (Entry entry : nodes.entries("node_confs", node, saying)) {
      switch (entry.lower()) {
        case "nodes" -> {
          named = true;
          list = list(entry, saying);
        }
        case "options" -> {
          said = true;
          options.read(entry.name(), entry.value(), saying);
        }
        default -> unknown(entry, List.of("nodes", "options"), saying);
      }
    }
    if (saying.clean() && !(named && said)) {
      saying.wrong(
          nodes.place(node), "node_confs: '" + (named ? "options" : "nodes") + "' is missing");
    }
    if (list.isPresent()) {
      parts.add(new Layer(list, nodes.place(node), saying.fields(), saying.clean()));
    }
  }

  private Optional<Hostlist> list(Entry entry, SectionParser saying) {
    List<Word> words = nodes.words(entry.name(), entry.value(), saying);
    boolean good = !words.isEmpty();
    for (Word word : words) {
      good &= parsed(entry.name(), word.text(), word.place(), saying).isPresent();
    }
    if (words.isEmpty() && saying.clean()) {
      saying.wrong(entry.place(), entry.name() + ": a name is missing");
    }
    String all = String.join(",", words.stream().map(Word::text).toList());
    return good ? parsed(entry.name(), all, entry.place(), saying) : Optional.empty();
  }

  private static Optional<Hostlist> parsed(
      String name, String text, FilePosition place, SectionParser saying) {
    try {
      return Optional.of(Hostlist.parse(text));
    } catch (IllegalArgumentException e) {
      saying.wrong(place, name + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  static void unknown(Entry entry, List<String> known, SectionParser saying) {
    saying.wrong(
        entry.place(),
        "unknown key '%s'; the nearest is %s"
            .formatted(entry.name(), NearestWord.to(entry.name(), known)));
  }
}
