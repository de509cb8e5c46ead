package dev.rollcall.agent.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.agent.series.Family.Part;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Writes the text format of Prometheus (0.0.4) or of OpenMetrics 1.0.0, which differ in the names
 * of counters' families and in the last line.
 */
final class PageText {
  private static final int FLUSHED = 8 << 10;
  private static final int LONGEST_LABEL = 128;
  private static final String TOTAL = "_total";

  private final OutputStream out;
  private final boolean openMetrics;
  private final StringBuilder text = new StringBuilder(2 * FLUSHED);

  PageText(OutputStream out, boolean openMetrics) {
    this.out = out;
    this.openMetrics = openMetrics;
  }

  /** Writes a family without labels. */
  void single(String name, String help, long value) {
    header(name, help);
    line(name, "", "");
    number(value, 0);
  }

  /**
   * Writes what these series have of a family; nothing if none has a value.
   *
   * @param labels of a series
   */
  void family(
      String prefix, Family family, Collection<Series> all, Function<Series, String> labels) {
    String name = prefix + family.name();
    boolean begun = false;
    for (Series each : all) {
      for (Part part : family.parts()) {
        OptionalLong value = part.of(each.measures);
        if (value.isPresent()) {
          if (!begun) {
            header(name, family.help());
            begun = true;
          }
          line(name, labels.apply(each), part.label());
          number(value.getAsLong(), family.unit().digits);
        }
      }
    }
  }

  void header(String name, String help) {
    boolean counts = name.endsWith(TOTAL);
    String family =
        counts && openMetrics ? name.substring(0, name.length() - TOTAL.length()) : name;
    text.append("# HELP ").append(family).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(family).append(counts ? " counter\n" : " gauge\n");
  }

  /** Writes all before the value. */
  void line(String name, String labels, String label) {
    if (text.length() > FLUSHED) {
      flush();
    }
    text.append(name);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append(label.isEmpty() ? "" : ",").append(label).append('}');
    }
    text.append(' ');
  }

  /** Writes a value of so many digits behind the point, and the end of the line. */
  void number(long value, int digits) {
    int start = text.length();
    text.append(value);
    while (text.length() - start <= digits) {
      text.insert(start, '0');
    }
    if (digits > 0) {
      text.insert(text.length() - digits, '.');
    }
    text.append('\n');
  }

  /** Returns a label with a comma before it. Empty for an empty value; a longer one is cut. */
  static String label(String name, String value) {
    if (value.isEmpty()) {
      return "";
    }
    var label = new StringBuilder(",").append(name).append("=\"");
    value
        .codePoints()
        .limit(LONGEST_LABEL)
        .forEach(each -> {
          switch (each) {
            case '\n' -> label.append("\\n");
            case '"', '\\' -> label.append('\\').append((char) each);
            default -> label.appendCodePoint(Character.isISOControl(each) ? '?' : each);
          }
        });
    return label.append('"').toString();
  }

  /** Writes the last line. */
  void end() {
    text.append(openMetrics ? "# EOF\n" : "");
    flush();
  }

  private void flush() {
    try {
      out.write(text.toString().getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    text.setLength(0);
  }
}
