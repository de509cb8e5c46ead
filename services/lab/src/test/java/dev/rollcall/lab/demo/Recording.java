package dev.rollcall.lab.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Makes a moving picture of what a program says: an SVG of a terminal whose lines come at the times
 * at which they were said. It has no script and asks nobody for anything. {@code ./rollcall record}
 * runs it as a file of its own, so the JDK is all that it knows.
 *
 * @param command as it was typed
 * @param rows in the order in which they come
 */
record Recording(String command, List<Row> rows) {
  private static final int COLUMNS = 108;
  private static final int SEEN_ROWS = 22;
  private static final int ROW_PIXELS = 18;
  private static final int MARGIN = 16;
  private static final int WIDTH = 880;
  private static final int INDENT = 8;

  /** A wait for the machine is shown as one, but nobody has to sit through it. */
  private static final long LONGEST_WAIT_MILLIS = 900;

  private static final long FIRST_MILLIS = 1_200;
  private static final long LAST_MILLIS = 5_000;

  /**
   * What fits on a line of the terminal.
   *
   * @param millis from the beginning, as it is shown
   * @param first whether a line of the program begins here
   */
  record Row(long millis, String text, boolean first) {}

  /** Takes the command, as users type it; reads what it says, and writes the picture. */
  public static void main(String[] arguments) throws IOException {
    var out = new PrintStream(System.out, true, UTF_8);
    LongSupplier clock = () -> System.nanoTime() / 1_000_000;
    out.print(of(arguments[0], new InputStreamReader(System.in, UTF_8), clock).svg());
  }

  static Recording of(String command, Reader said, LongSupplier clock) throws IOException {
    List<Row> rows = new ArrayList<>();
    var lines = new BufferedReader(said);
    long before = clock.getAsLong();
    long shown = FIRST_MILLIS;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      long now = clock.getAsLong();
      shown += Math.min(now - before, LONGEST_WAIT_MILLIS);
      before = now;
      boolean first = !line.startsWith(" ");
      for (String part : folded(line)) {
        rows.add(new Row(shown, part, first));
        first = false;
      }
    }
    if (rows.isEmpty()) {
      throw new IOException(command + " said nothing");
    }
    return new Recording(command, List.copyOf(rows));
  }

  /** At words where it is too long. */
  private static List<String> folded(String line) {
    List<String> parts = new ArrayList<>();
    String rest = line;
    while (rest.length() > COLUMNS) {
      int end = rest.lastIndexOf(' ', COLUMNS);
      end = end <= INDENT ? COLUMNS : end;
      parts.add(rest.substring(0, end).stripTrailing());
      rest = " ".repeat(INDENT) + rest.substring(end).strip();
    }
    parts.add(rest);
    return parts;
  }

  private long length() {
    return rows.getLast().millis + LAST_MILLIS;
  }

  String svg() {
    int height = SEEN_ROWS * ROW_PIXELS + 2 * MARGIN;
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" role="img" aria-label="%3$s, as it runs">
        <style>
        svg { --ground: #ffffff; --edge: #d0d7de; --text: #1f2328; --more: #59636e; --good: #1a7f37; --bad: #cf222e }
        @media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --edge: #3d444d; --text: #e6edf3; --more: #9198a1; --good: #3fb950; --bad: #f85149 } }
        text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text); white-space: pre }
        .more { fill: var(--more) } .good { fill: var(--good) } .bad { fill: var(--bad) }
        .ground { fill: var(--ground) } .edge { fill: var(--ground); stroke: var(--edge) }
        .all { transform: translateY(%4$dpx); animation: all %5$s infinite step-end }
        .later { transform: translateY(%6$dpx); animation: later %5$s infinite step-end }
        @media (prefers-reduced-motion: reduce) { .all, .later { animation: none } }
        """
            .formatted(
                WIDTH,
                height,
                escaped(command),
                -scrolled(rows.size()),
                seconds(length()),
                covered(rows.size())));
    svg.append(keyframes("all", count -> -scrolled(count)));
    svg.append(keyframes("later", Recording::covered));
    svg.append(
        """
        </style>
        <clipPath id="screen"><rect x="0" y="%1$d" width="%2$d" height="%3$d"/></clipPath>
        <rect class="edge" x="0.5" y="0.5" width="%4$d" height="%5$d" rx="6"/>
        <g clip-path="url(#screen)"><g class="all">
        """
            .formatted(MARGIN, WIDTH, SEEN_ROWS * ROW_PIXELS, WIDTH - 1, height - 1));
    svg.append(line(0, "<tspan class=\"more\"># </tspan>" + escaped(command)));
    for (int i = 0; i < rows.size(); i++) {
      svg.append(line(i + 1, marked(rows.get(i))));
    }
    svg.append(
        "</g>\n<rect class=\"ground later\" x=\"2\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n</g>\n</svg>\n"
            .formatted(MARGIN, WIDTH - 4, height));
    return svg.toString();
  }

  private static String line(int number, String marked) {
    int baseline = MARGIN + number * ROW_PIXELS + 13;
    return "<text x=\"%d\" y=\"%d\">%s</text>\n".formatted(MARGIN, baseline, marked);
  }

  private static String marked(Row row) {
    if (!row.first) {
      return "<tspan class=\"more\">" + escaped(row.text) + "</tspan>";
    }
    String text = escaped(row.text);
    return text.startsWith("ok ")
        ? "<tspan class=\"good\">ok</tspan>" + text.substring(2)
        : text.startsWith("DIFFERS ")
            ? "<tspan class=\"bad\">DIFFERS</tspan>" + text.substring(7)
            : text;
  }

  /** How far all went up when so many rows, and the command, are there. */
  private static int scrolled(int count) {
    return Math.max(0, count + 1 - SEEN_ROWS) * ROW_PIXELS;
  }

  /** Where what has not been said yet begins. */
  private static int covered(int count) {
    return Math.min(count + 1, SEEN_ROWS) * ROW_PIXELS;
  }

  /** Where something stands after so many rows. */
  private interface Offset {
    int after(int rows);
  }

  private String keyframes(String name, Offset offset) {
    var frames = new StringBuilder("@keyframes " + name + " {");
    int before = offset.after(0);
    frames.append(" 0%% { transform: translateY(%dpx) }".formatted(before));
    for (int i = 0; i < rows.size(); i++) {
      boolean last = i + 1 == rows.size() || rows.get(i + 1).millis != rows.get(i).millis;
      int now = offset.after(i + 1);
      if (last && now != before) {
        frames.append(
            " %s%% { transform: translateY(%dpx) }".formatted(percent(rows.get(i).millis), now));
        before = now;
      }
    }
    return frames.append(" 100%% { transform: translateY(%dpx) } }\n".formatted(before)).toString();
  }

  private String percent(long millis) {
    return String.format(Locale.ROOT, "%.3f", 100.0 * millis / length());
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1fs", millis / 1_000.0);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
