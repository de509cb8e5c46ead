package dev.rollcall.load.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The tables of docs/performance.md are those of the files in docs/figures. The page as it should
 * be is written to {@code target/docs}.
 */
class PerformancePageTest {
  private static final Path DOCS = Path.of(System.getProperty("rollcall.home", ".."), "docs");
  private static final Path MADE = Path.of("target/docs");
  private static final Pattern MARKED =
      Pattern.compile(
          "(<!-- figures of ([^:]+): [^>]*-->\n\n)(.*?)(\n<!-- end -->)", Pattern.DOTALL);

  /** Besides the summary and the columns of days, every table has measured figures. */
  private static final Set<String> OTHER_TABLES =
      Set.of("| question | result | aim | met | Slurm | section |");

  private static KeptFigures figures() throws IOException {
    return KeptFigures.read(DOCS.resolve("figures"));
  }

  private static Map<String, String> tables() throws IOException {
    var tables = new HashMap<>(GatewayTables.of(figures()));
    tables.putAll(NodeTables.of(figures()));
    return tables;
  }

  private static String page() throws IOException {
    return Files.readString(DOCS.resolve("performance.md"));
  }

  @Test
  void everyTableIsMadeOfTheKeptFigures() throws IOException {
    Map<String, String> tables = tables();
    var found = new TreeSet<String>();
    String made =
        MARKED
            .matcher(page())
            .replaceAll(one -> {
              found.add(one.group(2));
              String table = tables.getOrDefault(one.group(2), "no such table\n");
              return Matcher.quoteReplacement(one.group(1) + table + one.group(4));
            });
    Files.createDirectories(MADE);
    Files.writeString(MADE.resolve("performance.md"), made);
    assertEquals(made, page(), "cp load-tests/target/docs/performance.md docs/");
    assertEquals(new TreeSet<>(tables.keySet()), found, "tables and their marks in the page");
  }

  @Test
  void noTableOfFiguresIsTyped() throws IOException {
    String unmarked = MARKED.matcher(page()).replaceAll("");
    Set<String> headings =
        Pattern.compile("(?m)^(\\|.*)\n\\|---")
            .matcher(unmarked)
            .results()
            .map(table -> table.group(1))
            .collect(Collectors.toSet());
    assertEquals(OTHER_TABLES, headings);
  }

  @Test
  void eachFileNamesABenchmarkThatExistsAndNoQuickRun() throws IOException {
    Map<String, KeptRun> runs = figures().runs();
    runs.forEach((name, run) -> {
      String bench = run.json().getString("bench");
      assertTrue(Main.names().contains(bench), name);
      assertTrue(name.equals(bench) || name.startsWith(bench + "-"), name + " is of " + bench);
      assertFalse(run.isQuick(), name);
    });
    assertFalse(runs.isEmpty());
  }
}
