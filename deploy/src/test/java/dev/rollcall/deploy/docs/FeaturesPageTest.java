package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each feature of docs/features.md has one mark, and each test and scene that it names exists. */
class FeaturesPageTest {
  private static final Path HOUSE = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Path SCENES =
      HOUSE.resolve("services/lab/src/main/java/dev/rollcall/lab/demo");
  private static final Pattern ROW =
      Pattern.compile("\\| (.+?) \\| (yes|partly|no|-) \\| (.*?) \\|(.*)\\|");
  private static final Pattern COUNT = Pattern.compile("\\| .+ \\| \\d+ \\| \\d+ \\| \\d+ \\|");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern SCENE_LIST =
      Pattern.compile("\\bscenes? (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*)");
  private static final Pattern SCENE = Pattern.compile("\"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\"");
  private static final Pattern REASON = Pattern.compile("(On purpose|Open): .{10,}");
  private static final Set<String> MARKS = Set.of("yes", "partly", "no");
  private static final int LONGEST_CELL = 40;

  private static final Set<String> SCENE_NAMES = new HashSet<>();

  /**
   * A feature.
   *
   * @param group the heading above it
   */
  private record Feature(String group, String name, String mark, String reason) {
    List<String> proofs() {
      return CODE.matcher(reason).results().map(found -> found.group(1)).toList();
    }
  }

  private static TestSources tests = new TestSources(Map.of(), Set.of());

  @BeforeAll
  static void findTestsAndScenes() throws IOException {
    tests = TestSources.read();
    try (Stream<Path> files = Files.list(SCENES)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        SCENE
            .matcher(Files.readString(file))
            .results()
            .forEach(found -> SCENE_NAMES.add(found.group(1)));
      }
    }
  }

  @Test
  void eachFeatureHasOneMark() throws IOException {
    assertNone(feature -> !MARKS.contains(feature.mark()), "mark is not yes, partly or no");
  }

  @Test
  void eachYesNamesATestOrAScene() throws IOException {
    assertNone(
        feature ->
            feature.mark().equals("yes")
                && feature.proofs().stream().noneMatch(FeaturesPageTest::exists),
        "yes without a test or a scene");
  }

  @Test
  void eachPartlyAndEachNoIsOnPurposeOrOpen() throws IOException {
    assertNone(
        feature -> !feature.mark().equals("yes") && !REASON.matcher(feature.reason()).matches(),
        "neither 'On purpose: ' nor 'Open: ' with a reason");
  }

  @Test
  void eachTestAndSceneThatItNamesExists() throws IOException {
    var missing = new ArrayList<String>();
    for (Feature feature : features()) {
      feature.proofs().stream()
          .filter(TestSources::isName)
          .filter(proof -> !exists(proof))
          .forEach(proof -> missing.add(feature.name() + ": " + proof));
      SCENE_LIST
          .matcher(feature.reason())
          .results()
          .flatMap(list -> CODE.matcher(list.group(1)).results())
          .map(found -> found.group(1))
          .filter(scene -> !SCENE_NAMES.contains(scene))
          .forEach(scene -> missing.add(feature.name() + ": scene " + scene));
    }
    assertEquals(List.of(), missing);
  }

  /** They would pass although the product did the opposite. */
  @Test
  void noTestOfTheLabsOwnClassesIsAProof() throws IOException {
    Set<String> own = TestSources.ofTheLab();
    assertTrue(own.contains("VisitTest"), own::toString);
    assertNone(
        feature -> feature.proofs().stream().anyMatch(name -> own.contains(name.split("#")[0])),
        "a test of the lab's own class");
  }

  @Test
  void itsCellsAreShort() throws IOException {
    assertNone(
        feature -> feature.reason().split(" ", -1).length > LONGEST_CELL,
        "more than " + LONGEST_CELL + " words");
  }

  @Test
  void itsCountsAreThoseOfItsRows() throws IOException {
    var counts = new LinkedHashMap<String, int[]>();
    for (Feature feature : features()) {
      for (String group : List.of(feature.group(), "all")) {
        int[] row = counts.computeIfAbsent(group, name -> new int[3]);
        row[List.of("yes", "partly", "no").indexOf(feature.mark())]++;
      }
    }
    int[] all = counts.remove("all");
    counts.put("all", all);
    List<String> rows =
        counts.entrySet().stream()
            .map(entry -> {
              int[] row = entry.getValue();
              return "| %s | %d | %d | %d |".formatted(entry.getKey(), row[0], row[1], row[2]);
            })
            .toList();
    List<String> page =
        Page.read("features.md").lines().stream()
            .filter(line -> COUNT.matcher(line).matches())
            .toList();
    assertEquals(String.join("\n", rows), String.join("\n", page));
  }

  private static List<Feature> features() throws IOException {
    var features = new ArrayList<Feature>();
    String group = "";
    for (String line : Page.read("features.md").lines()) {
      if (line.startsWith("## ")) {
        group = line.substring(3);
      }
      Matcher row = ROW.matcher(line);
      if (line.matches("\\| (feature|group) \\|.*") || COUNT.matcher(line).matches()) {
        continue;
      }
      if (row.matches()) {
        features.add(new Feature(group, row.group(1), row.group(3).strip(), row.group(4).strip()));
      } else {
        assertFalse(line.startsWith("| "), "not a row of a feature: " + line);
      }
    }
    return features;
  }

  private static void assertNone(Predicate<Feature> wrong, String why) throws IOException {
    List<String> found = features().stream().filter(wrong).map(Feature::name).toList();
    assertEquals(List.of(), found, why);
  }

  private static boolean exists(String proof) {
    return tests.contain(proof) || SCENE_NAMES.contains(proof);
  }
}
