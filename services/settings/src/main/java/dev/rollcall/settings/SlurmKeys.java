package dev.rollcall.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys of a file in Slurm's syntax: {@code Key=Value} pairs, one or several a line, keys in any
 * case, {@code #} begins a comment, a backslash at its end continues a line, a value may be in
 * double quotes, and {@code Include FILE} reads another file, relative to the first one's
 * directory. Keys are taken one by one; what is left in the end was not known.
 */
final class SlurmKeys {
  private static final int DEEPEST_INCLUDE = 8;
  private static final Pattern PAIR =
      Pattern.compile("([A-Za-z][A-Za-z0-9_]*)\\s*=\\s*(?:\"([^\"]*)\"|([^\\s\"]+))(?=\\s|$)");
  private static final Pattern INCLUDE =
      Pattern.compile("include\\s+(\\S+)\\s*", Pattern.CASE_INSENSITIVE);

  /**
   * @param where file and line, for messages
   */
  private record Said(String key, String value, String where) {}

  private final Map<String, Said> said = new LinkedHashMap<>();
  private final TreeSet<String> known = new TreeSet<>();

  private SlurmKeys() {}

  static SlurmKeys read(Path file) throws BadConfigException {
    var keys = new SlurmKeys();
    keys.add(file, 0);
    return keys;
  }

  private void add(Path file, int depth) throws BadConfigException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new BadConfigException("cannot read " + file + ": " + e);
    }
    var line = new StringBuilder();
    int first = 1;
    for (int number = 1; number <= lines.size(); number++) {
      String text = withoutComment(lines.get(number - 1));
      boolean goesOn = text.endsWith("\\");
      line.append(goesOn ? text.substring(0, text.length() - 1) : text);
      if (!goesOn || number == lines.size()) {
        take(file, first, line.toString().strip(), depth);
        line.setLength(0);
        first = number + 1;
      }
    }
  }

  /** A backslash before it makes the sign a part of the value, as Slurm has it. */
  private static String withoutComment(String line) {
    for (int at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
      if (at == 0 || line.charAt(at - 1) != '\\') {
        return line.substring(0, at).stripTrailing();
      }
    }
    return line.stripTrailing();
  }

  private void take(Path file, int number, String line, int depth) throws BadConfigException {
    String where = file + " line " + number;
    Matcher include = INCLUDE.matcher(line);
    if (include.matches()) {
      if (depth == DEEPEST_INCLUDE) {
        throw new BadConfigException(where + ": includes are nested over " + DEEPEST_INCLUDE);
      }
      add(file.resolveSibling(include.group(1)), depth + 1);
      return;
    }
    Matcher pair = PAIR.matcher(line);
    int end = 0;
    while (end < line.length() && pair.find(end) && line.substring(end, pair.start()).isBlank()) {
      String value = pair.group(2) == null ? pair.group(3) : pair.group(2);
      put(new Said(pair.group(1), value, where));
      end = pair.end();
    }
    if (!line.substring(end).isBlank()) {
      throw new BadConfigException(
          where + ": expected Key=Value, not '" + line.substring(end).strip() + "'");
    }
  }

  private void put(Said one) throws BadConfigException {
    if (said.put(one.key.toLowerCase(Locale.ROOT), one) != null) {
      throw new BadConfigException(one.where + ": key '" + one.key + "' is there twice");
    }
  }

  /** A value, if it is given. The reader's IllegalArgumentException says what is wrong with it. */
  <T> Optional<T> value(String key, Function<String, T> reader) throws BadConfigException {
    known.add(key);
    Said one = said.remove(key.toLowerCase(Locale.ROOT));
    if (one == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(reader.apply(one.value));
    } catch (IllegalArgumentException e) {
      throw new BadConfigException(one.where + ": " + key + ": " + e.getMessage());
    }
  }

  Optional<Boolean> bool(String key) throws BadConfigException {
    return value(
        key,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "yes", "up", "true", "1" -> true;
              case "no", "down", "false", "0" -> false;
              default -> throw new IllegalArgumentException("'" + text + "' is neither yes nor no");
            });
  }

  /** Takes these keys away; returns those that were there, each with its place. */
  List<String> ignore(List<String> keys) {
    List<String> there = new ArrayList<>();
    for (String key : keys) {
      known.add(key);
      Said one = said.remove(key.toLowerCase(Locale.ROOT));
      if (one != null) {
        there.add(key + " (" + one.where + ")");
      }
    }
    return there;
  }

  /** Refuses what nobody took. */
  void end() throws BadConfigException {
    if (!said.isEmpty()) {
      Said first = said.values().iterator().next();
      throw new BadConfigException(
          "%s: unknown key '%s' (%s); known are %s"
              .formatted(first.where, first.key, first.value, String.join(", ", known)));
    }
  }
}
