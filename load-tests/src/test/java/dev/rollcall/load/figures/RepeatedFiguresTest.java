package dev.rollcall.load.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.load.figures.RepeatedFigures.Repeated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages that repeat a figure have that of docs/figures. */
class RepeatedFiguresTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));

  /** Time, memory or processors. */
  private static final Pattern FIGURE =
      Pattern.compile("[0-9] (ms|µs|s|MiB|KiB|MB|cores)(?![a-z])|a second and core");

  /** Rows with settings, computed values or several figures of the tables above them. */
  private static final Set<String> OTHERS =
      Set.of("| the module fails |", "| How many nodes can three gateways serve? |");

  private static List<Repeated> repeated() throws IOException {
    return new RepeatedFigures(KeptFigures.read(HOME.resolve("docs/figures"))).all();
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ");
  }

  @Test
  void eachPageHasTheKeptFigure() throws IOException {
    var lacking = new TreeSet<String>();
    for (Repeated one : repeated()) {
      if (!flat(Files.readString(HOME.resolve(one.page()))).contains(one.text())) {
        lacking.add(one.page() + ": " + one.text());
      }
    }
    assertEquals(Set.of(), lacking);
  }

  @ParameterizedTest
  @CsvSource({
    "README.md, 'The table has median times', '**The cost'",
    "docs/comparison.md, '## pam_slurm_adopt and Caller ID', '## Others'",
    "docs/requirements.md, '## Sizes', '## Slurm'",
    "docs/performance.md, '## Summary', '### Reading the figures'"
  })
  void noRowHasAnotherFigure(String page, String from, String to) throws IOException {
    String text = Files.readString(HOME.resolve(page));
    List<Repeated> repeated = repeated();
    var unknown = new TreeSet<String>();
    for (String line : text.substring(text.indexOf(from), text.indexOf(to)).split("\n", -1)) {
      boolean known =
          repeated.stream().anyMatch(one -> one.page().equals(page) && line.contains(one.text()))
              || OTHERS.stream().anyMatch(line::startsWith);
      if (line.startsWith("|") && FIGURE.matcher(line).find() && !known) {
        unknown.add(line);
      }
    }
    assertEquals(Set.of(), unknown, "rows that RepeatedFigures does not compare");
  }
}
