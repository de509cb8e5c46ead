package dev.rollcall.lab.systemd;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A unit file's settings as they are written.
 *
 * @param settings by "Section.Name"; a name may be there several times
 */
record UnitFile(Map<String, List<String>> settings) {
  static final Path FOLDER = SourceTree.ROOT.resolve("deploy/systemd");

  static UnitFile read(String name) throws IOException {
    Map<String, List<String>> settings = new LinkedHashMap<>();
    String section = "";
    for (String line : Files.readAllLines(FOLDER.resolve(name))) {
      int equals = line.indexOf('=');
      if (line.startsWith("[")) {
        section = line.substring(1, line.length() - 1);
      } else if (!line.startsWith("#") && equals > 0) {
        settings
            .computeIfAbsent(section + "." + line.substring(0, equals), _ -> new ArrayList<>())
            .add(line.substring(equals + 1));
      }
    }
    return new UnitFile(settings);
  }

  /** The one value of a setting. */
  String of(String setting) {
    List<String> values = settings.getOrDefault(setting, List.of());
    if (values.size() != 1) {
      throw new AssertionError(setting + " is there " + values.size() + " times: " + values);
    }
    return values.getFirst();
  }

  /** The words of a setting. */
  List<String> words(String setting) {
    return List.of(of(setting).split(" ", -1));
  }
}
