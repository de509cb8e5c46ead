package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of tested systems in docs/requirements.md stands between two marks, and is made of the
 * annotations {@code RunsOn} of the tests. The page as it should be is left in {@code target/docs}.
 */
class SystemsPageTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Path MADE = Path.of("target/docs");
  private static final Pattern MARKED =
      Pattern.compile("(<!-- tested systems: [^>]*-->\n\n)(.*?)\n?<!-- end -->", Pattern.DOTALL);
  private static final String HEAD =
      """
      | system | architecture | Linux | Slurm | SELinux | tests | command |
      |---|---|---|---|---|---|---|
      """;

  private static List<TestedSystem> systems() throws IOException {
    return TestSources.read().classes().entrySet().stream()
        .filter(test -> !test.getKey().equals("SystemsPageTest"))
        .sorted(Map.Entry.comparingByKey())
        .flatMap(test -> TestedSystem.of(test.getKey(), test.getValue()).stream())
        .sorted(Comparator.comparing(system -> system.fact("system", "")))
        .toList();
  }

  @Test
  void theTableIsThatOfTheTests() throws IOException {
    String page = Files.readString(HOME.resolve("docs/requirements.md"));
    Matcher marked = MARKED.matcher(page);
    assertTrue(marked.find(), "the page has no marks of the table");
    String table = HEAD + systems().stream().map(TestedSystem::row).collect(Collectors.joining());
    String made =
        page.substring(0, marked.start())
            + marked.group(1)
            + table
            + "\n<!-- end -->"
            + page.substring(marked.end());
    Files.createDirectories(MADE);
    Files.writeString(MADE.resolve("requirements.md"), made);
    assertEquals(made, page, "cp deploy/target/docs/requirements.md docs/");
  }

  @Test
  void eachCommandIsDescribedForContributors() throws IOException {
    String page = Files.readString(HOME.resolve("CONTRIBUTING.md"));
    assertTrue(systems().size() > 5);
    for (TestedSystem system : systems()) {
      assertTrue(page.contains("`./rollcall test " + system.tier() + "`"), system.command());
      assertTrue(!system.isFull() || page.contains("`./rollcall test --full`"), system.command());
      assertTrue(page.contains(system.fact("options", "")), system.command());
    }
  }

  @Test
  void valuesAreJoinedAndHaveDefaults() {
    String source =
        """
        @RunsOn(
            system = "Debian 12",
            kernel = "6.1",
            tests =
                "a demo, "
                    + "and more")
        @Tag("vm")
        @Tag("full")
        class SomeTest {
        """;
    assertEquals(
        List.of(
            "| Debian 12 | x86-64 | 6.1 | - | - | a demo, and more: `SomeTest` |"
                + " `./rollcall test machine --full` |\n"),
        TestedSystem.of("SomeTest", source).stream().map(TestedSystem::row).toList());
  }
}
