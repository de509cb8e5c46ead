package dev.rollcall.agent.series;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.agent.series.Family.Part;
import dev.rollcall.agent.series.Series.Facts;
import dev.rollcall.agent.series.Series.Level;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Writes series in the text format of Prometheus (0.0.4) or of OpenMetrics 1.0.0, which differ in
 * the names of counters' families and in the last line.
 */
final class JobPage {
  private static final int FLUSHED = 8 << 10;
  private static final int LONGEST_LABEL = 128;
  private static final String PREFIX = "rollcall_";
  private static final String TOTAL = "_total";

  private final OutputStream out;
  private final boolean openMetrics;
  private final StringBuilder text = new StringBuilder(2 * FLUSHED);

  JobPage(OutputStream out, boolean openMetrics) {
    this.out = out;
    this.openMetrics = openMetrics;
  }

  /**
   * @param user the name of a uid, empty if it has none
   * @param left how many jobs, steps and sessions are left out
   * @param dropped how many that had ended were left out so far
   */
  void write(
      Collection<Series> all, String provider, IntFunction<String> user, long left, long dropped) {
    header("job_info", "Facts of a job. Value 1");
    for (Series each : all) {
      each.facts.ifPresent(facts -> info(each, facts, provider, user));
    }
    for (Level level : Level.values()) {
      List<Series> its = all.stream().filter(each -> each.level == level).toList();
      String prefix = level.name().toLowerCase(Locale.ROOT) + "_";
      Family.ALL.forEach(family -> write(prefix, family, its));
      times(prefix + "begin_timestamp_seconds", "Its begin, since 1970", its, it -> it.began);
      times(
          prefix + "end_timestamp_seconds",
          "Its end, since 1970",
          its.stream().filter(it -> it.ended.isPresent()).toList(),
          it -> it.ended.orElseThrow());
    }
    header("job_series_left_out", "Jobs, steps and sessions without series, for lack of room");
    line("job_series_left_out", "", "").append(left).append('\n');
    header(
        "job_series_dropped_total", "Those that ended and lost their series too early, likewise");
    line("job_series_dropped_total", "", "").append(dropped).append('\n');
    text.append(openMetrics ? "# EOF\n" : "");
    flush();
  }

  private void write(String prefix, Family family, List<Series> all) {
    String name = prefix + family.name();
    boolean begun = false;
    for (Series each : all) {
      for (Part part : family.parts()) {
        OptionalLong value = each.measures.get(part.measure());
        if (value.isPresent()) {
          if (!begun) {
            header(name, family.help());
            begun = true;
          }
          line(name, each.labels, part.label());
          number(value.getAsLong(), family.unit().digits);
        }
      }
    }
  }

  private void times(String name, String help, List<Series> all, Function<Series, Instant> time) {
    if (!all.isEmpty()) {
      header(name, help);
    }
    for (Series each : all) {
      line(name, each.labels, "");
      number(time.apply(each).toEpochMilli(), 3);
    }
  }

  private void header(String name, String help) {
    boolean counts = name.endsWith(TOTAL);
    String family =
        counts && openMetrics ? name.substring(0, name.length() - TOTAL.length()) : name;
    text.append("# HELP ").append(PREFIX).append(family).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(PREFIX).append(family);
    text.append(counts ? " counter\n" : " gauge\n");
  }

  /** All before the value. */
  private StringBuilder line(String name, String labels, String label) {
    if (text.length() > FLUSHED) {
      flush();
    }
    text.append(PREFIX).append(name);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append(label.isEmpty() ? "" : ",").append(label).append('}');
    }
    return text.append(' ');
  }

  /** A value of so many digits behind the point, and the end of the line. */
  private void number(long value, int digits) {
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

  private void info(Series job, Facts facts, String provider, IntFunction<String> user) {
    int uid = facts.job().uid();
    text.append(PREFIX).append("job_info{").append(job.labels);
    label("user", user.apply(uid));
    label("uid", Integer.toUnsignedString(uid));
    label("account", facts.account());
    label("partition", facts.partition());
    label("provider", provider);
    label("sluid", facts.sluid());
    label("array", facts.job().label().batchId());
    text.append("} 1\n");
  }

  /** An empty value is as good as no label. A longer one is cut. */
  private void label(String name, String value) {
    if (value.isEmpty()) {
      return;
    }
    text.append(',').append(name).append("=\"");
    value
        .codePoints()
        .limit(LONGEST_LABEL)
        .forEach(each -> {
          switch (each) {
            case '\n' -> text.append("\\n");
            case '"', '\\' -> text.append('\\').append((char) each);
            default -> text.appendCodePoint(Character.isISOControl(each) ? '?' : each);
          }
        });
    text.append('"');
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
