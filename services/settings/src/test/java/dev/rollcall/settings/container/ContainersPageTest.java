package dev.rollcall.settings.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/containers.md names every key, and its example is taken. */
class ContainersPageTest {
  @TempDir Path directory;

  private static String page() throws IOException {
    return Files.readString(Path.of("../../docs/containers.md"));
  }

  @Test
  void everyKeyIsThere() throws IOException {
    String page = page();
    List<String> keys = new ArrayList<>(Key.names(Key::conf));
    keys.addAll(Key.names(Key::yaml));
    for (Namespace namespace : Namespace.values()) {
      keys.add(namespace.flag());
    }
    for (MountOption flag : MountOption.values()) {
      keys.add(flag.word());
    }
    keys.removeIf(key -> page.contains("`" + key + "`"));
    assertEquals(List.of(), keys);
  }

  @Test
  void theExampleIsTaken() throws IOException {
    String example =
        Pattern.compile("```yaml\n(# namespace.yaml.*?)```", Pattern.DOTALL)
            .matcher(page())
            .results()
            .map((MatchResult found) -> found.group(1))
            .findFirst()
            .orElseThrow();
    ContainerConf conf = new Written(directory.resolve("namespace.yaml")).as(example).good();
    assertEquals(
        List.of("/tmp", "/scratch/%u", "/dev/shm"), Written.paths(conf.on("gpu2", "gpu2")));
    assertEquals(
        List.of("gpu[1-2]", "login[1-4]", ""), conf.sets().stream().map(NodeSet::nodes).toList());
  }
}
