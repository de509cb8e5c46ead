package dev.rollcall.load.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("root")
class MoveCostTest {
  /** A hierarchy in which this process is at the top, or else v2's own directory of it. */
  private static Path hierarchy() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      if (line.contains(" - cgroup2 ")) {
        return Path.of(line.split(" ", -1)[4]);
      }
    }
    throw new IOException("cgroup2 is not mounted");
  }

  private static Path ownProcs(Path hierarchy) throws IOException {
    String path =
        Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
            .filter(line -> line.startsWith("0::"))
            .map(line -> line.substring("0::".length()))
            .findFirst()
            .orElseThrow();
    return hierarchy.resolve(path.substring(1)).resolve("cgroup.procs");
  }

  @Test
  void measuresEachWayAndLeavesNothing() throws Exception {
    Path hierarchy = hierarchy();
    var text = new ByteArrayOutputStream();
    MoveCost.measure(
        hierarchy,
        ownProcs(hierarchy),
        List.of(0),
        new PrintStream(text, true, StandardCharsets.UTF_8));
    List<String> lines = text.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(3, lines.size(), lines.toString());
    assertTrue(lines.getFirst().startsWith("back to back"), lines.getFirst());
    assertTrue(lines.get(2).contains("prepared") && lines.get(2).endsWith("times"), lines.get(2));
    String left = "rollcall-move-cost-" + ProcessHandle.current().pid();
    assertFalse(Files.exists(hierarchy.resolve(left)));
  }
}
