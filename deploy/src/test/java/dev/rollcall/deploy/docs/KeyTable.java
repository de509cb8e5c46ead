package dev.rollcall.deploy.docs;

import static java.util.Objects.requireNonNull;

import dev.rollcall.settings.KnownKey;
import dev.rollcall.settings.container.ContainerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A table of the reference, made of what the code knows and of the words beside it. */
final class KeyTable {
  private static final String NONE_YET = "[]";

  private final List<List<String>> rows = new ArrayList<>();

  private KeyTable(String... heads) {
    rows.add(List.of(heads));
    rows.add(List.of(heads).stream().map(_ -> "---").toList());
  }

  static String of(List<KnownKey> asked, KeyWords words) {
    Map<String, KnownKey> known = new HashMap<>();
    asked.forEach(key -> known.put(key.key(), key));
    words.areFor(known.keySet());
    var table = new KeyTable("key", "takes", "default", "");
    for (String key : words.keys()) {
      KnownKey one = requireNonNull(known.get(key));
      table.add(code(key), one.takes(), standard(key, one.standard(), words), words.of(key));
    }
    return table.text();
  }

  private static String standard(String key, Optional<String> code, KeyWords words) {
    Optional<String> told = code.filter(text -> !text.equals(NONE_YET));
    if (told.isPresent() && words.haveDefault(key)) {
      throw new AssertionError(words.file() + " has a default for '" + key + "', the code another");
    }
    return told.map(KeyTable::code).orElseGet(() -> words.of(key + ".default"));
  }

  static String ofContainers(KeyWords words) {
    Map<String, ContainerKey> known = new HashMap<>();
    ContainerKey.all()
        .forEach(key -> known.put(key.yaml().isEmpty() ? key.conf() : key.yaml(), key));
    words.areFor(known.keySet());
    var table = new KeyTable("`Key=Value`", "YAML", "takes", "default", "");
    table.add(
        "`NodeName`", "`nodes`", "host lists", "all nodes", "the nodes of a part of the file");
    for (String key : words.keys()) {
      ContainerKey one = requireNonNull(known.get(key));
      table.add(
          code(one.conf()),
          code(one.yaml()),
          one.takes(),
          words.of(key + ".default"),
          words.of(key));
    }
    return table.text();
  }

  static String ofOptions(PamOptions options, KeyWords words) {
    var table = new KeyTable("option", "takes", "default", "pam_slurm_adopt's default", "");
    words.areFor(options.names());
    for (String name : words.keys()) {
      table.add(
          code(name),
          options.takes(name),
          options.standard(name).map(KeyTable::code).orElseGet(() -> words.of(name + ".default")),
          words.of(name + ".slurm"),
          words.of(name));
    }
    return table.text();
  }

  static String ofVariables(Map<String, List<String>> variables) {
    var table = new KeyTable("variable", "stands for", "");
    variables.forEach((name, told) -> table.add(code(name), told.getFirst(), told.getLast()));
    return table.text();
  }

  private static String code(String text) {
    return text.isEmpty() ? "-" : "`" + text + "`";
  }

  private void add(String... cells) {
    rows.add(List.of(cells));
  }

  private String text() {
    var text = new StringBuilder();
    for (List<String> row : rows) {
      text.append('|');
      boolean rule = row.getFirst().equals("---");
      row.forEach(
          cell -> text.append(rule ? cell : cell.isEmpty() ? " " : " " + cell + " ").append('|'));
      text.append('\n');
    }
    return text.toString();
  }
}
