package dev.rollcall.load.figures;

import java.util.List;

/** Builds a table of Markdown. */
final class MarkdownTable {
  private final StringBuilder text = new StringBuilder();
  private final int columns;

  MarkdownTable(String... headings) {
    columns = headings.length;
    line(List.of(headings));
    text.append("|---".repeat(columns)).append("|\n");
  }

  MarkdownTable row(String... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          "%d cells in a table of %d columns: %s".formatted(cells.length, columns, cells[0]));
    }
    line(List.of(cells));
    return this;
  }

  private void line(List<String> cells) {
    cells.forEach(cell -> text.append("| ").append(cell).append(cell.isEmpty() ? "" : " "));
    text.append("|\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
