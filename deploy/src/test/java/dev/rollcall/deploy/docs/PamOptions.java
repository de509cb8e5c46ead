package dev.rollcall.deploy.docs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the PAM module reads of its lines, by its source.
 *
 * @param readings how each option is read, by its name
 */
record PamOptions(String source, Map<String, Reading> readings) {
  private static final Path SOURCES =
      Path.of(System.getProperty("rollcall.home", ".."), "services/pam/src");
  private static final Pattern READ =
      Pattern.compile("IS\\(\"([a-z0-9_]+)\"\\)\\)\\s*ok = read_([a-z_]+)\\(value(.*?)\\);");
  private static final Pattern MEMBER = Pattern.compile("options->([a-z0-9_]+)");
  private static final Pattern TABLE = Pattern.compile("[A-Z_]{4,}");
  private static final Pattern TEXT = Pattern.compile("\\{\"([^\"]+)\",");

  /**
   * A call of one of the module's readers.
   *
   * @param by the reader's name
   * @param with its other arguments
   */
  record Reading(String by, String with) {}

  static PamOptions read() throws IOException {
    String source = Files.readString(SOURCES.resolve("options.c"));
    String header = Files.readString(SOURCES.resolve("options.h"));
    Map<String, Reading> readings = new LinkedHashMap<>();
    READ.matcher(source)
        .results()
        .forEach(one -> readings.put(one.group(1), new Reading(one.group(2), one.group(3))));
    return new PamOptions(header + source, readings);
  }

  Set<String> names() {
    return readings.keySet();
  }

  private Reading reading(String name) {
    return requireNonNull(readings.get(name), name);
  }

  /** What can stand behind the equals sign. */
  String takes(String name) {
    Reading reading = reading(name);
    return switch (reading.by()) {
      case "action" -> words(first(TABLE, reading.with()));
      case "boolean" -> words("BOOLEANS");
      case "log_level" -> words("LOG_LEVELS") + ", or 0 to " + value("LOG_LEVEL_DEBUG5");
      case "number" -> {
        String[] bounds = reading.with().split(", ", -1);
        yield "milliseconds, " + bounds[2] + " to " + value(bounds[3]);
      }
      case "ports" -> "up to " + value("OPTIONS_PORTS_MAX") + " ports, with commas between";
      case "socket" -> "an absolute path";
      case "text" -> "text";
      default -> throw new AssertionError("read_" + reading.by() + " is not known here");
    };
  }

  /** What holds where a line does not say it, if the source has it as a value. */
  Optional<String> standard(String name) {
    String with = reading(name).with();
    String member =
        switch (reading(name).by()) {
          case "ports" -> "ports";
          case "socket" -> "socket_path";
          default -> first(MEMBER, with);
        };
    String value = first(Pattern.compile("\\." + member + " = ([^,]+),"), source);
    return Optional.of(value.replaceAll("[{}\"]", "").replaceFirst("^(ACTION|LOG_LEVEL)_", ""))
        .filter(text -> !text.isEmpty())
        .map(text -> text.toLowerCase(Locale.ROOT));
  }

  private String words(String table) {
    String content =
        first(Pattern.compile(table + "\\[\\] = \\{(.*?)\\};", Pattern.DOTALL), source);
    return TEXT.matcher(content + ",")
        .results()
        .map((MatchResult word) -> "`" + word.group(1) + "`")
        .collect(Collectors.joining(", "));
  }

  private String value(String constant) {
    return first(Pattern.compile(constant + "(?: =)? ([0-9]+)"), source);
  }

  /** The first match: its group, if it has one. */
  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("no " + pattern + " in " + text);
    }
    return matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
  }
}
