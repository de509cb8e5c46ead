package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceTest {
  private static final Path HOUSE = Path.of("..");
  private static final Pattern METER =
      Pattern.compile("registry\\s*\\.\\s*(counter|timer|gauge)\\(\\s*\"(rollcall\\.[a-z.]+)\"");
  private static final Pattern KEY =
      Pattern.compile("file\\s*\\.\\s*(?:value|values|section|required)\\(\\s*\"([a-z_]+)\"");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

  @ParameterizedTest
  @ValueSource(strings = {"services/agent", "gateway"})
  void everyMetricIsExplained(String module) throws IOException {
    var missing = new TreeSet<String>();
    String page = Files.readString(HOUSE.resolve("docs/metrics.md"));
    for (String source : sources(module)) {
      METER
          .matcher(source)
          .results()
          .map(found -> exposed(found.group(1), found.group(2)))
          .filter(name -> !page.contains("`" + name + "`"))
          .forEach(missing::add);
    }
    assertEquals(Set.of(), missing);
  }

  private static String exposed(String kind, String name) {
    String suffix =
        switch (kind) {
          case "counter" -> "_total";
          case "timer" -> "_seconds";
          default -> "";
        };
    return name.replace('.', '_') + suffix;
  }

  @ParameterizedTest
  @ValueSource(strings = {"services/agent", "gateway"})
  void everyConfigurationKeyIsExplained(String module) throws IOException {
    var keys = new TreeSet<String>();
    for (String source : sources(module)) {
      KEY.matcher(source).results().forEach(found -> keys.add(found.group(1)));
    }
    assertFalse(keys.size() < 5, () -> "found only " + keys);
    String page = Files.readString(HOUSE.resolve("docs/configuration.md"));
    keys.removeIf(key ->
        page.contains("| `" + key + "` |")
            || page.matches("(?s).*`\\{[a-z, ]*\\b" + key + "\\b[a-z, ]*\\}`.*"));
    assertEquals(Set.of(), keys);
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    var broken = new TreeSet<String>();
    try (var files = Files.walk(HOUSE.resolve("docs"))) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        broken.addAll(brokenLinks(page));
      }
    }
    broken.addAll(brokenLinks(HOUSE.resolve("README.md")));
    broken.addAll(brokenLinks(HOUSE.resolve("CONTRIBUTING.md")));
    assertEquals(Set.of(), broken);
  }

  private static Set<String> brokenLinks(Path page) throws IOException {
    var broken = new TreeSet<String>();
    LINK.matcher(Files.readString(page))
        .results()
        .map(found -> found.group(1))
        .filter(target -> !Files.exists(page.resolveSibling(target)))
        .forEach(target -> broken.add(page + ": " + target));
    return broken;
  }

  private static Set<String> sources(String module) throws IOException {
    var sources = new TreeSet<String>();
    try (var files = Files.walk(HOUSE.resolve(module).resolve("src/main/java"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        sources.add(Files.readString(file));
      }
    }
    return sources;
  }
}
