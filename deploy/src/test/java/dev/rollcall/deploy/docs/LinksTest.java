package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LinksTest {
  private static final Path HOUSE = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
  private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)#:\\s]*)#([^)]*)\\)");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern CLASS = Pattern.compile("([a-z]+\\.)+[A-Z]\\w+");
  private static final Pattern HEADING = Pattern.compile("#+ (.+)");
  private static final Pattern ID = Pattern.compile("<a id=\"([^\"]+)\"></a>");
  private static final Pattern LINK_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    var broken = new TreeSet<String>();
    for (Path page : pages()) {
      LINK.matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .filter(target -> !Files.exists(page.resolveSibling(target)))
          .forEach(target -> broken.add(page + ": " + target));
    }
    assertEquals(Set.of(), broken);
  }

  @Test
  void everyAnchorIsAHeading() throws IOException {
    var broken = new TreeSet<String>();
    for (Path page : pages()) {
      for (var link : ANCHOR.matcher(Files.readString(page)).results().toList()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (target.toString().endsWith(".md")
            && Files.exists(target)
            && !anchors(target).contains(link.group(2))) {
          broken.add(page + ": " + link.group(1) + "#" + link.group(2));
        }
      }
    }
    assertEquals(Set.of(), broken);
  }

  @Test
  void everyPageIsInTheIndex() throws IOException {
    Set<String> listed =
        LINK.matcher(Files.readString(HOUSE.resolve("docs/README.md")))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    var pages = new TreeSet<String>();
    try (var files = Files.list(HOUSE.resolve("docs"))) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
          .forEach(pages::add);
    }
    pages.removeAll(listed);
    assertEquals(Set.of(), pages);
  }

  /** Decisions name the tests of their day. */
  @Test
  void everyTestThatAPageNamesExists() throws IOException {
    TestSources tests = TestSources.read();
    var missing = new TreeSet<String>();
    List<Path> pages = pages();
    pages.removeIf(page -> page.startsWith(HOUSE.resolve("docs/adr")));
    for (Path page : pages) {
      CODE.matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .filter(name -> TestSources.isName(name) && !tests.contain(name))
          .forEach(name -> missing.add(page + ": " + name));
    }
    assertEquals(Set.of(), missing);
  }

  /** They are named as {@code agent.watch.WatchVerticle} there, or from an inner package on. */
  @Test
  void everyClassThatTheArchitectureNamesIsInItsPackage() throws IOException {
    List<String> sources =
        SourceFiles.below(HOUSE).stream()
            .map(Path::toString)
            .filter(file -> file.contains("/src/main/java/") && file.endsWith(".java"))
            .toList();
    Set<String> missing =
        CODE.matcher(Files.readString(HOUSE.resolve("docs/architecture.md")))
            .results()
            .map(found -> found.group(1))
            .filter(name -> CLASS.matcher(name).matches())
            .map(name -> "/" + name.replace('.', '/') + ".java")
            .filter(file -> sources.stream().noneMatch(source -> source.endsWith(file)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), missing);
  }

  private static List<Path> pages() throws IOException {
    var pages =
        new ArrayList<>(
            List.of(
                HOUSE.resolve("README.md"),
                HOUSE.resolve("CHANGELOG.md"),
                HOUSE.resolve("CONTRIBUTING.md"),
                HOUSE.resolve("SECURITY.md"),
                HOUSE.resolve("deploy/helm/rollcall/README.md")));
    try (var files = Files.walk(HOUSE.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  /** The anchors of a page: those that forges give its headings, and its own. */
  private static Set<String> anchors(Path page) throws IOException {
    var anchors = new HashSet<String>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        code = !code;
      }
      ID.matcher(line).results().forEach(found -> anchors.add(found.group(1)));
      var heading = HEADING.matcher(line);
      if (!code && heading.matches()) {
        anchors.add(
            LINK_TEXT
                .matcher(heading.group(1))
                .replaceAll("$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-'));
      }
    }
    return anchors;
  }
}
