package dev.rollcall.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A mapping of a YAML file, whose keys are read one by one. What is left in the end was not known,
 * and is refused with its line.
 */
public final class ConfigFile {
  private final String name;
  private final String line;
  private final String section;
  private final Map<String, Node> values;
  private final List<KnownKey> asked;
  private final List<EffectiveKey> effective;
  private final TreeSet<String> known = new TreeSet<>();
  private Optional<FilePosition> defaultsFrom = Optional.empty();

  private ConfigFile(
      String name,
      String line,
      String section,
      Map<String, Node> values,
      List<KnownKey> asked,
      List<EffectiveKey> effective) {
    this.name = name;
    this.line = line;
    this.section = section;
    this.values = values;
    this.asked = asked;
    this.effective = effective;
  }

  /** Reads a file; an empty one has no keys. */
  public static ConfigFile read(Path file) throws BadConfigException {
    return switch (FileText.of(file)) {
      case FileText.Text(String text) when text.indexOf(FileText.NOT_UTF_8) >= 0 ->
          throw new BadConfigException("cannot read " + file + ": is not text in UTF-8");
      case FileText.Text(String text) -> of(file.toString(), text);
      case FileText.Unreadable(String reason) ->
          throw new BadConfigException("cannot read " + file + ": " + reason);
    };
  }

  /**
   * Reads a text.
   *
   * @param name what messages call it
   */
  public static ConfigFile of(String name, String text) throws BadConfigException {
    Optional<Node> root;
    try {
      var settings = LoadSettings.builder().setLabel(name).build();
      root = new Compose(settings).composeString(text);
    } catch (YamlEngineException e) {
      throw new BadConfigException(name + " is not YAML: " + e.getMessage());
    }
    return new ConfigFile(
        name,
        "",
        "",
        root.isPresent() ? mapping(name, root.get()) : new LinkedHashMap<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  private static Map<String, Node> mapping(String name, Node node) throws BadConfigException {
    if (!(node instanceof MappingNode mapping)) {
      throw new BadConfigException(name + line(node) + ": expected keys and values");
    }
    Map<String, Node> values = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw new BadConfigException(name + line(tuple.getKeyNode()) + ": a key must be a string");
      }
      if (values.put(key.getValue(), tuple.getValueNode()) != null) {
        throw new BadConfigException(
            name + line(key) + ": key '" + key.getValue() + "' is given twice");
      }
    }
    return values;
  }

  private static String line(Node node) {
    int line = number(node);
    return line == 0 ? "" : " line " + line;
  }

  private static int number(Node node) {
    return node.getStartMark().map(Mark::getLine).map(line -> line + 1).orElse(0);
  }

  /** A value on one line, in YAML's flow style. */
  private static String text(Node node) {
    return switch (node) {
      case ScalarNode scalar -> scalar.getValue();
      case SequenceNode list ->
          list.getValue().stream()
              .map(ConfigFile::text)
              .collect(Collectors.joining(", ", "[", "]"));
      case MappingNode mapping ->
          mapping.getValue().stream()
              .map(each -> text(each.getKeyNode()) + ": " + text(each.getValueNode()))
              .collect(Collectors.joining(", ", "{", "}"));
      default -> "";
    };
  }

  /** A value, if it is given. */
  public <T> Optional<T> value(String key, Kind<T> kind) throws BadConfigException {
    return value(key, kind, Optional.empty());
  }

  /** A value, or the standard one. */
  public <T> T value(String key, Kind<T> kind, T standard) throws BadConfigException {
    return value(key, kind, Optional.of(kind.writer().apply(standard))).orElse(standard);
  }

  private <T> Optional<T> value(String key, Kind<T> kind, Optional<String> standard)
      throws BadConfigException {
    ask(key, kind.takes(), standard);
    Optional<Node> node = take(key);
    return node.isPresent() ? Optional.of(scalar(key, node.get(), kind)) : Optional.empty();
  }

  /** A list of values, or the standard one. */
  public <T> List<T> values(String key, Kind<T> kind, List<T> standard) throws BadConfigException {
    String all = standard.stream().map(kind.writer()).collect(Collectors.joining(", ", "[", "]"));
    ask(key, "a list: " + kind.takes(), Optional.of(all));
    Optional<Node> node = take(key);
    return node.isPresent() ? list(key, node.get(), kind) : standard;
  }

  private <T> List<T> list(String key, Node node, Kind<T> kind) throws BadConfigException {
    if (!(node instanceof SequenceNode sequence)) {
      throw bad(key, node, "expected a list");
    }
    List<T> read = new ArrayList<>();
    for (Node one : sequence.getValue()) {
      read.add(scalar(key, one, kind));
    }
    return List.copyOf(read);
  }

  /** A mapping of names that the file chooses, each with a list of values; empty if not given. */
  public <T> Map<String, List<T>> lists(String key, Kind<T> kind) throws BadConfigException {
    ask(key, "names, each with a list: " + kind.takes(), Optional.empty());
    return named(key, "expected names with lists", (each, node) -> list(each, node, kind));
  }

  /** A mapping of names that the file chooses, each with a value; empty if not given. */
  public <T> Map<String, T> named(String key, Kind<T> kind) throws BadConfigException {
    ask(key, "names, each with " + kind.takes(), Optional.empty());
    return named(key, "expected names with values", (each, node) -> scalar(each, node, kind));
  }

  private interface Reader<T> {
    T read(String key, Node node) throws BadConfigException;
  }

  private <T> Map<String, T> named(String key, String expected, Reader<T> reader)
      throws BadConfigException {
    Optional<Node> node = take(key);
    if (node.isEmpty()) {
      return Map.of();
    }
    if (!(node.get() instanceof MappingNode)) {
      throw bad(key, node.get(), expected);
    }
    Map<String, T> read = new LinkedHashMap<>();
    for (Map.Entry<String, Node> one : mapping(name, node.get()).entrySet()) {
      read.put(one.getKey(), reader.read(key + "." + one.getKey(), one.getValue()));
    }
    return read;
  }

  /** A mapping of its own, if it is given. */
  public Optional<ConfigFile> section(String key) throws BadConfigException {
    asked.add(new KnownKey(section + key, "keys of its own", Optional.empty()));
    Optional<Node> node = take(key);
    if (node.isEmpty()) {
      effective.add(new EffectiveKey(section + key, Optional.empty(), Optional.empty()));
      return Optional.empty();
    }
    return Optional.of(
        new ConfigFile(
            name,
            line(node.get()),
            section + key + ".",
            mapping(name, node.get()),
            asked,
            effective));
  }

  /** A value that must be given. */
  public <T> T required(String key, Kind<T> kind) throws BadConfigException {
    Optional<T> value = value(key, kind);
    if (value.isEmpty()) {
      throw new BadConfigException(name + line + ": key '" + section + key + "' is missing");
    }
    return value.get();
  }

  /** What was asked for so far, here and in sections that are given, in the order of asking. */
  public List<KnownKey> asked() {
    return List.copyOf(asked);
  }

  /** The values of the keys that were asked for so far, in the order of asking. */
  public List<EffectiveKey> effective() {
    return List.copyOf(effective);
  }

  /**
   * Notes that the standard values of the keys that are asked for next come from another file.
   *
   * @param file empty: they are the program's own again
   */
  public void defaultsFrom(Optional<Path> file) {
    defaultsFrom = file.map(it -> new FilePosition(it.toString(), 0));
  }

  private void ask(String key, String takes, Optional<String> standard) {
    asked.add(new KnownKey(section + key, takes, standard));
    Node node = values.get(key);
    effective.add(
        node == null
            ? new EffectiveKey(section + key, standard, standard.flatMap(_ -> defaultsFrom))
            : new EffectiveKey(
                section + key,
                Optional.of(text(node)),
                Optional.of(new FilePosition(name, number(node)))));
  }

  private Optional<Node> take(String key) {
    known.add(key);
    return Optional.ofNullable(values.remove(key));
  }

  private <T> T scalar(String key, Node node, Kind<T> kind) throws BadConfigException {
    if (!(node instanceof ScalarNode scalar)) {
      throw bad(key, node, "expected one value");
    }
    try {
      return kind.reader().apply(scalar.getValue());
    } catch (IllegalArgumentException e) {
      throw bad(key, node, String.valueOf(e.getMessage()));
    }
  }

  private BadConfigException bad(String key, Node node, String problem) {
    return new BadConfigException(name + line(node) + ": " + key + ": " + problem);
  }

  /** An error about the value of a key that was asked for. */
  public BadConfigException bad(String key, String problem) {
    String at =
        effective.stream()
            .filter(each -> each.key().equals(section + key))
            .flatMap(each -> each.from().stream())
            .map(FilePosition::toString)
            .findFirst()
            .orElse(name);
    return new BadConfigException(at + ": " + key + ": " + problem);
  }

  /** Refuses what nobody took. */
  public void end() throws BadConfigException {
    if (!values.isEmpty()) {
      Map.Entry<String, Node> first = values.entrySet().iterator().next();
      throw new BadConfigException(
          name
              + line(first.getValue())
              + ": unknown key '"
              + first.getKey()
              + "'; known are "
              + String.join(", ", known));
    }
  }
}
