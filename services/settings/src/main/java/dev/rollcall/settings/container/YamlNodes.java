package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The nodes of a YAML file, each with its line; what has another shape than asked is a problem. */
record YamlNodes(String file) {
  /**
   * A key and its value.
   *
   * @param name as it is written
   */
  record Entry(String name, FilePosition place, Node value) {
    String lower() {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  record Word(String text, FilePosition place) {}

  FilePosition place(Node node) {
    return place(node.getStartMark());
  }

  private FilePosition place(Optional<Mark> mark) {
    return new FilePosition(file, mark.map(found -> found.getLine() + 1).orElse(0));
  }

  /** The node that holds all others, if the file has any. */
  Optional<Node> root(String text, SectionParser saying) {
    try {
      return new Compose(LoadSettings.builder().setLabel(file).build()).composeString(text);
    } catch (MarkedYamlEngineException e) {
      saying.wrong(place(e.getProblemMark()), "is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      saying.wrong(new FilePosition(file, 0), "is not YAML: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** Keys with their values; nothing at all is no key. */
  List<Entry> entries(String name, Node node, SectionParser saying) {
    List<Entry> entries = new ArrayList<>();
    if (node instanceof MappingNode mapping) {
      Set<String> names = new HashSet<>();
      for (NodeTuple tuple : mapping.getValue()) {
        FilePosition place = place(tuple.getKeyNode());
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
          saying.wrong(place, "a key must be a string");
          continue;
        }
        var entry = new Entry(key.getValue(), place, tuple.getValueNode());
        if (names.add(entry.lower())) {
          entries.add(entry);
        } else {
          saying.wrong(place, "key '" + entry.name + "' is given twice");
        }
      }
    } else if (!isNothing(node)) {
      saying.wrong(place(node), in(name) + "expected keys and values");
    }
    return entries;
  }

  /** What is in a list; nothing at all is an empty one. */
  List<Node> items(String name, Node node, SectionParser saying) {
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    if (!isNothing(node)) {
      saying.wrong(place(node), in(name) + "expected a list");
    }
    return List.of();
  }

  Optional<Word> word(String name, Node node, SectionParser saying) {
    if (node instanceof ScalarNode scalar) {
      return Optional.of(new Word(scalar.getValue(), place(node)));
    }
    saying.wrong(place(node), in(name) + "expected one value");
    return Optional.empty();
  }

  /** A list of values, or one alone. */
  List<Word> words(String name, Node node, SectionParser saying) {
    List<Node> nodes = node instanceof SequenceNode list ? list.getValue() : List.of(node);
    return nodes.stream().flatMap(one -> word(name, one, saying).stream()).toList();
  }

  private static String in(String name) {
    return name.isEmpty() ? "" : name + ": ";
  }

  private static boolean isNothing(Node node) {
    return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
  }
}
