package dev.rollcall.cli.man;

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
  static Document read(Path file) throws IOException {
    return new Document(Files.readString(file));
  }

  /**
   * The lines of the first block of code in a section.
   *
   * @throws IllegalArgumentException if there is none
   */
  List<String> code(String heading) {
    List<String> lines = new ArrayList<>();
    boolean here = false;
    boolean within = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith("```")) {
        if (within) {
          return List.copyOf(lines);
        }
        within = here;
      } else if (within) {
        lines.add(line);
      } else if (line.startsWith("#")) {
        here = line.replaceFirst("^#+ ", "").equals(heading);
      }
    }
    throw new IllegalArgumentException("no block of code under '" + heading + "'");
  }

  /**
   * The rows of the section's first table, without its heads.
   *
   * @throws IllegalArgumentException if there is none
   */
  List<List<String>> rows(String heading) {
    List<List<String>> rows = new ArrayList<>();
    boolean here = false;
    boolean within = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith("#")) {
        here = line.replaceFirst("^#+ ", "").equals(heading);
      } else if (here && line.startsWith("| ")) {
        within = true;
        String cells = line.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", "");
        rows.add(List.of(cells.split("(?<!\\\\)\\|", -1)).stream().map(String::strip).toList());
      } else if (within && !line.startsWith("|")) {
        break;
      }
    }
    if (rows.size() < 2) {
      throw new IllegalArgumentException("no table under '" + heading + "'");
    }
    return rows.subList(1, rows.size());
  }
}
