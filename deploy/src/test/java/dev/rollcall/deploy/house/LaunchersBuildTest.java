package dev.rollcall.deploy.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares what the distribution copies with what the launcher has Maven build. */
class LaunchersBuildTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
  private static final Pattern OWN = Pattern.compile("<artifactId>rollcall-([a-z-]+)</artifactId>");
  private static final Pattern COPIED = Pattern.compile("/\\.\\./([a-z/-]+)/target");

  @Test
  void eachModuleThatIsCopiedIsBuilt() throws IOException {
    Set<String> copied = all(COPIED, "deploy");

    Set<String> built = builtFor("services/lab");

    assertTrue(copied.containsAll(Set.of("services/agent", "services/brief")), copied::toString);
    assertEquals(Set.of(), minus(copied, built), "copied by deploy, not built by ./rollcall demo");
  }

  /** Shows that a module that nothing names is found to be missing. */
  @Test
  void aModuleThatNothingNamesIsNotBuilt() throws IOException {
    assertEquals(
        Set.of("services/fuzz", "load-tests"),
        minus(all(MODULE, ""), builtFor("services/lab")),
        "what only the build of all modules has");
  }

  private static Set<String> minus(Set<String> all, Set<String> some) {
    return all.stream().filter(each -> !some.contains(each)).collect(Collectors.toSet());
  }

  /** What {@code mvn -pl MODULE -am} builds: what the poms name, and what these name. */
  private static Set<String> builtFor(String module) throws IOException {
    Map<String, String> byName = new HashMap<>();
    for (String each : all(MODULE, "")) {
      byName.put(each.replaceFirst(".*/", ""), each);
    }
    Set<String> built = new TreeSet<>(Set.of(module));
    Set<String> next = built;
    while (!next.isEmpty()) {
      Set<String> named = new TreeSet<>();
      for (String each : next) {
        all(OWN, each).stream().filter(byName::containsKey).map(byName::get).forEach(named::add);
      }
      next = minus(named, built);
      built.addAll(next);
    }
    return built;
  }

  private static Set<String> all(Pattern pattern, String module) throws IOException {
    String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    return pattern.matcher(pom).results().map(found -> found.group(1)).collect(Collectors.toSet());
  }
}
