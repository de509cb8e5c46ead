package dev.rollcall.settings.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.settings.Hostlist;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerConfTest {
  @TempDir Path directory;

  private Written file(String name, String text) throws IOException {
    return new Written(directory.resolve(name)).as(text);
  }

  private static List<String> shown(ContainerConf conf) {
    return conf.sets().stream()
        .map(set ->
            set.nodes()
                + " "
                + set.size()
                + " "
                + set.container().basePath().map(Path::toString).orElse("-"))
        .toList();
  }

  @Test
  void nodesWithTheSameAreTogetherAndTheOthersLast() throws IOException {
    String text =
        """
        NodeName=n[1-6] BasePath=/a
        NodeName=n[3-4],gpu1 BasePath=/b/%n
        NodeName=n5 BasePath=none
        NodeName=n6 BasePath=/a
        """;
    assertEquals(
        List.of("n[1-2,6] 3 /a", "gpu1,n[3-4] 3 /b/%n", "n5 1 -", " 0 -"),
        shown(file("a.conf", text).good()));
  }

  @Test
  void aFileWithoutNodesHasOneSet() throws IOException {
    assertEquals(List.of(" 0 /b"), shown(file("a.conf", "BasePath=/b\n").good()));
  }

  /** What is told of sets is what each node gets. */
  @Test
  void setsAndNodesAgree() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      var random = new Random(seed);
      ContainerConf conf =
          seed % 2 == 0 ? file("a.conf", conf(random)).good() : file("a.yaml", yaml(random)).good();
      List<String> named = new ArrayList<>();
      for (NodeSet set : conf.sets()) {
        List<String> names =
            set.nodes().isEmpty() ? List.of("other") : Hostlist.parse(set.nodes()).names();
        assertEquals(set.size(), set.nodes().isEmpty() ? 0 : names.size());
        for (String name : names) {
          assertEquals(set.container(), conf.on(name, "h"), name + " with seed " + seed);
        }
        named.addAll(names);
      }
      assertEquals(named.size(), named.stream().distinct().count());
    }
  }

  private static String nodes(Random random) {
    int low = random.nextInt(12);
    return "n[" + low + "-" + (low + random.nextInt(6)) + "]";
  }

  private static String conf(Random random) {
    var text = new StringBuilder(random.nextBoolean() ? "Dirs=/tmp,/x\nShared=yes\n" : "");
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.append(random.nextInt(4) == 0 ? "" : "NodeName=" + nodes(random) + " ");
      text.append("BasePath=/b").append(random.nextInt(3));
      text.append(random.nextBoolean() ? " Dirs=/d" + random.nextInt(2) : "");
      text.append(random.nextBoolean() ? " Shared=no" : "").append('\n');
    }
    return text.toString();
  }

  private static String yaml(Random random) {
    var text = new StringBuilder("defaults: {base_path: /b, shared: yes}\nnode_confs:\n");
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.append("- nodes: [\"").append(nodes(random)).append("\"]\n  options: {");
      text.append(random.nextBoolean() ? "base_path: /b" + random.nextInt(3) : "dirs: /x");
      text.append(random.nextBoolean() ? ", shared: no}\n" : "}\n");
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "a/b", "", "."})
  void noWordOfAJobLeadsToAnotherDirectory(String user) {
    var template = new JobPathPattern("/scratch/%u");
    assertThrows(IllegalArgumentException.class, () -> template.of("1", user, "s1"));
  }

  @Test
  void aPercentSignInAWordIsNoVariable() {
    var refused =
        assertThrows(
            IllegalArgumentException.class, () -> new JobPathPattern("/%u").of("1", "%j", "s1"));
    assertTrue(String.valueOf(refused.getMessage()).contains("is not a variable here"));
  }
}
