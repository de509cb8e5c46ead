package dev.rollcall.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Columns of text under their names, each as wide as its widest cell, which shows what {@link
 * TerminalText} leaves of it.
 */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... columns) {
    rows.add(List.of(columns));
  }

  public Table row(Object... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + rows.getFirst().size());
    }
    rows.add(List.of(cells).stream().map(Table::plain).toList());
    return this;
  }

  private static String plain(Object cell) {
    String text = TerminalText.cell(cell.toString());
    return text.isEmpty() ? "-" : text;
  }

  /** Some of its columns, in this order. */
  public Table only(String... columns) {
    var table = new Table(columns);
    List<Integer> at = Stream.of(columns).map(rows.getFirst()::indexOf).toList();
    rows.stream().skip(1).forEach(row -> table.rows.add(at.stream().map(row::get).toList()));
    return table;
  }

  /** One line each, without blanks at its end. */
  public List<String> lines() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
    }
    return line.toString().stripTrailing();
  }
}
