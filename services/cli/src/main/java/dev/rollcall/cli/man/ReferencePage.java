package dev.rollcall.cli.man;

import java.util.ArrayList;
import java.util.List;

/** Writes a manual page whose keys are the rows of a table in the documents. */
public final class ReferencePage {
  private ReferencePage() {}

  /**
   * Makes a page.
   *
   * @param does for the line of apropos(1)
   * @param says paragraphs, before the keys
   * @param document Markdown, in which tests hold the table against the program
   * @param heading of the section with the table
   * @param parts what follows the keys
   * @param also other pages
   */
  public static String text(
      String name,
      int section,
      String does,
      List<String> says,
      String document,
      String heading,
      PageParts parts,
      String also,
      String version) {
    var page = new Roff(name, section, version).name(name, does).section("DESCRIPTION");
    says.forEach(page::markdown);
    page.section(section == 5 ? "KEYS" : "OPTIONS");
    for (List<String> row : rows(document, heading)) {
      // Key, what it takes, default, perhaps others' default, meaning.
      page.markdown(
          row.getFirst(), "%s (%s; default: %s)".formatted(row.getLast(), row.get(1), row.get(2)));
    }
    parts.write(page);
    return page.section("SEE ALSO").paragraph(also).toString();
  }

  /**
   * The lines of the first block of code in a section.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static List<String> code(String document, String heading) {
    List<String> lines = new ArrayList<>();
    boolean here = false;
    boolean within = false;
    for (String line : document.lines().toList()) {
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
  static List<List<String>> rows(String document, String heading) {
    List<List<String>> rows = new ArrayList<>();
    boolean here = false;
    boolean within = false;
    for (String line : document.lines().toList()) {
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
