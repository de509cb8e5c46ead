package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/security.md says of attacks is what the tests attack with. */
class AttacksPageTest {
  private static final Path HOUSE = Path.of("..");
  private static final Path TESTS =
      HOUSE.resolve("services/lab/src/test/java/dev/rollcall/lab/adversary");
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test#\\w+)`");
  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|OnEachHierarchy)\\b[^{;]*(?:\\{[^}]*}\\))?\\s+void"
              + " (\\w+)\\(");

  /** Not an attack, but what the others' figures are compared with. */
  private static final String COMPARISON = "FloodClusterTest#nobodyAttacks";

  @Test
  void everyAttackIsATestAndEveryTestAnAttack() throws IOException {
    Set<String> page =
        NAMED
            .matcher(Page.read("security.md").section("## Attacks, each a test").text())
            .results()
            .map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> attacks = testsBelow(TESTS);
    attacks.remove(COMPARISON);
    assertEquals(Set.of(), minus(attacks, page), "tests that the page does not name");
    // Attacks on one class of a module are tests of that module.
    assertEquals(Set.of(), minus(page, testsBelow(HOUSE)), "names on the page that are no tests");
  }

  private static Set<String> minus(Set<String> all, Set<String> without) {
    var rest = new TreeSet<>(all);
    rest.removeAll(without);
    return rest;
  }

  private static Set<String> testsBelow(Path folder) throws IOException {
    var tests = new TreeSet<String>();
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(AttacksPageTest::isTest).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        TEST.matcher(Files.readString(file))
            .results()
            .forEach(result -> tests.add(name + "#" + result.group(1)));
      }
    }
    return tests;
  }

  private static boolean isTest(Path file) {
    String name = file.toString();
    return name.endsWith("Test.java") && name.contains("/src/test/java/");
  }

  @Test
  void everyCapabilityOfTheAgentsUnitIsExplained() throws IOException {
    Set<String> unit =
        Files.readAllLines(Path.of("systemd/rollcall-agent.service")).stream()
            .filter(line -> line.startsWith("CapabilityBoundingSet="))
            .flatMap(line -> Stream.of(line.replaceFirst(".*=", "").split(" ", -1)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(unit, Page.read("security.md").section("## Privileges").rows());
  }
}
