package dev.rollcall.agent.series;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses a page as strictly as the ABNF of OpenMetrics 1.0.0 demands: each family in one piece with
 * HELP and TYPE, counters by {@code _total}, no series twice, no number but a decimal one, and an
 * end.
 */
final class OpenMetrics {
  private static final Pattern META =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\\\\n\"]|\\\\[n\\\\\"])+)");

  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[n\\\\\"])*\"";

  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{("
              + LABEL
              + "(?:,"
              + LABEL
              + ")*)})?"
              + " (-?[0-9]+(?:\\.[0-9]+)?)");

  private OpenMetrics() {}

  /** The values by their series, in the order of the page. */
  static Map<String, Double> parse(String page) {
    if (!page.endsWith("\n# EOF\n")) {
      throw new AssertionError("has no end");
    }
    Map<String, Double> values = new LinkedHashMap<>();
    Set<String> families = new HashSet<>();
    List<String> lines = new ArrayList<>(List.of(page.split("\n", -1)));
    String family = "";
    String type = "";
    for (String line : lines.subList(0, lines.size() - 2)) {
      Matcher meta = META.matcher(line);
      if (meta.matches() && meta.group(1).equals("HELP")) {
        family = meta.group(2);
        if (!families.add(family)) {
          throw new AssertionError("the family begins twice: " + line);
        }
      } else if (meta.matches()) {
        type = meta.group(3);
        if (!family.equals(meta.group(2)) || !type.matches("counter|gauge")) {
          throw new AssertionError("a type of another family: " + line);
        }
      } else {
        sample(line, type.equals("counter") ? family + "_total" : family, values);
      }
    }
    return values;
  }

  private static void sample(String line, String name, Map<String, Double> values) {
    Matcher sample = SAMPLE.matcher(line);
    if (!sample.matches() || !sample.group(1).equals(name)) {
      throw new AssertionError("not a sample of " + name + ": " + line);
    }
    String series = line.substring(0, line.lastIndexOf(' '));
    if (values.put(series, Double.parseDouble(sample.group(3))) != null) {
      throw new AssertionError("twice: " + series);
    }
  }
}
