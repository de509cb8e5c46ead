package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SbomTest {
  private static final Path HOME = SourceTree.DISTRIBUTION;

  /** The list's own subject. */
  private static final String SUBJECT = "rollcall-deploy-";

  private static final Pattern LIBRARY =
      Pattern.compile("\"purl\" : \"pkg:maven/[^/\"]+/([^@\"]+)@([^?\"]+)\\?([^\"]*)\"");

  /** A jar is called by its name, version and classifier; what is no jar has no file. */
  private static Set<String> named() throws IOException {
    String text = Files.readString(HOME.resolve("sbom/rollcall.cdx.json"));
    // The project's own entry and the dependencies name the same again.
    return LIBRARY
        .matcher(text)
        .results()
        .filter(found -> found.group(3).contains("type=jar"))
        .map(found -> found.group(1) + "-" + found.group(2) + classifier(found.group(3)) + ".jar")
        .filter(name -> !name.startsWith(SUBJECT))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String classifier(String words) {
    var found = Pattern.compile("classifier=([^&]+)").matcher(words);
    return found.find() ? "-" + found.group(1) : "";
  }

  @Test
  void itNamesTheJarsThatAreShippedAndNoOther() throws IOException {
    var shipped = new TreeSet<String>();
    for (String process : List.of("agent", "gateway", "cli")) {
      try (var files = Files.list(HOME.resolve("lib/" + process))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".jar"))
            .forEach(shipped::add);
      }
    }
    assertTrue(shipped.size() > 50, shipped::toString);
    assertEquals(shipped, named());
  }

  @Test
  void itTellsNothingOfTheMachineOrTheHour() throws IOException {
    String text = Files.readString(HOME.resolve("sbom/rollcall.cdx.json"));

    assertFalse(text.contains("serialNumber"));
    assertFalse(text.contains("\"timestamp\""));
    assertFalse(text.contains(SourceTree.ROOT.toString()));
  }
}
