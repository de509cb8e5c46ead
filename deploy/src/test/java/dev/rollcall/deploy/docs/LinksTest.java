package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LinksTest {
  private static final Path HOUSE = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    var pages =
        new ArrayList<>(
            List.of(
                HOUSE.resolve("README.md"),
                HOUSE.resolve("CONTRIBUTING.md"),
                HOUSE.resolve("SECURITY.md"),
                HOUSE.resolve("deploy/helm/rollcall/README.md")));
    try (var files = Files.walk(HOUSE.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }

    var broken = new TreeSet<String>();
    for (Path page : pages) {
      LINK.matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .filter(target -> !Files.exists(page.resolveSibling(target)))
          .forEach(target -> broken.add(page + ": " + target));
    }
    assertEquals(Set.of(), broken);
  }
}
