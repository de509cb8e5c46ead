package dev.rollcall.deploy.share;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads parts of a document in Markdown, which tests hold against the program.
 *
 * @param text of the whole document
 */
record Document(String text) {
  private static final String FENCE = "```";

  static Document read(Path file) throws IOException {
    return new Document(Files.readString(file));
  }

  /** The lines between a heading and the next, which no line of code is. */
  private List<String> section(String heading) {
    List<String> lines = new ArrayList<>();
    boolean here = false;
    boolean code = false;
    for (String line : text.lines().toList()) {
      code ^= line.startsWith(FENCE);
      if (!code && line.startsWith("#")) {
        here = line.replaceFirst("^#+ ", "").equals(heading);
      } else if (here) {
        lines.add(line);
      }
    }
    return lines;
  }

  /**
   * The lines of the first block of code in a section.
   *
   * @throws IllegalArgumentException if there is none
   */
  List<String> code(String heading) {
    List<String> from =
        section(heading).stream().dropWhile(line -> !line.startsWith(FENCE)).skip(1).toList();
    List<String> code = from.stream().takeWhile(line -> !line.startsWith(FENCE)).toList();
    if (code.size() == from.size()) {
      throw new IllegalArgumentException("no block of code under '" + heading + "'");
    }
    return code;
  }

  /**
   * The rows of the section's first table, without its heads.
   *
   * @throws IllegalArgumentException if there is none
   */
  List<List<String>> rows(String heading) {
    List<List<String>> rows =
        section(heading).stream()
            .dropWhile(line -> !line.startsWith("| "))
            .takeWhile(line -> line.startsWith("|"))
            .filter(line -> line.startsWith("| "))
            .map(line -> line.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", ""))
            .map(cells -> List.of(cells.split("(?<!\\\\)\\|", -1)))
            .map(cells -> cells.stream().map(String::strip).toList())
            .toList();
    if (rows.size() < 2) {
      throw new IllegalArgumentException("no table under '" + heading + "'");
    }
    return rows.subList(1, rows.size());
  }
}
