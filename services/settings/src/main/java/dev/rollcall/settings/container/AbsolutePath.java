package dev.rollcall.settings.container;

import java.nio.file.Path;

/** Paths as these files may have them. */
final class AbsolutePath {
  private AbsolutePath() {}

  /**
   * Reads a path that leads straight down from the root.
   *
   * @param variables letters that may follow a percent sign
   * @return the path without doubled slashes, and without one at its end
   * @throws IllegalArgumentException naming the text, if it is none
   */
  static String parse(String text, String variables) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a path is missing");
    }
    if (text.chars().anyMatch(c -> Character.isISOControl(c))) {
      throw new IllegalArgumentException("the path has a control character");
    }
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("'" + text + "' is not an absolute path");
    }
    for (Path name : Path.of(text)) {
      if (name.toString().equals("..") || name.toString().equals(".")) {
        throw new IllegalArgumentException("'" + text + "' has '" + name + "' in it");
      }
    }
    checkVariables(text, variables);
    return Path.of(text).toString();
  }

  private static void checkVariables(String text, String variables) {
    for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
      String variable = text.substring(at, Math.min(at + 2, text.length()));
      if (variable.length() < 2 || variables.indexOf(variable.charAt(1)) < 0) {
        throw new IllegalArgumentException(
            "'" + text + "': '" + variable + "' is not a variable here; " + known(variables));
      }
    }
  }

  private static String known(String variables) {
    return variables.isEmpty()
        ? "there are none"
        : "there are %" + String.join(", %", variables.split(""));
  }

  /** Without any variable. */
  static Path plain(String text) {
    return Path.of(parse(text, ""));
  }

  /** With the variables of a node. */
  static Path ofNode(String text) {
    return Path.of(parse(text, JobPathPattern.OF_NODES));
  }
}
