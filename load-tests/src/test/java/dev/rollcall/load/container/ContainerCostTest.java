package dev.rollcall.load.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("root")
class ContainerCostTest {
  /** Of ours: others come and go on this machine. */
  private static List<String> mounts(Path directory) throws IOException {
    String own = String.valueOf(directory.getFileName());
    return Files.readAllLines(Path.of("/proc/thread-self/mountinfo")).stream()
        .filter(
            line -> line.contains(own) || line.contains(" /tmp ") || line.contains(" /dev/shm "))
        .toList();
  }

  @Test
  void measuresBothWaysAndLeavesNothing() throws IOException {
    Path directory = Files.createTempDirectory(Path.of("/var/tmp"), "rollcall-cost-test-");
    List<String> before = mounts(directory);
    var text = new ByteArrayOutputStream();
    ContainerCost.measure(directory, 4, new PrintStream(text, true, StandardCharsets.UTF_8));
    List<String> lines = text.toString(StandardCharsets.UTF_8).lines().toList();
    for (String start :
        List.of(
            "begin, Rollcall",
            "begin, commands",
            "begin: by commands ",
            "  mount tmpfs on .../shm",
            "end, Rollcall",
            "end, commands",
            "end: by commands ")) {
      assertTrue(lines.stream().anyMatch(line -> line.startsWith(start)), start + lines);
    }
    assertEquals(before, mounts(directory));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
    Files.delete(directory);
  }
}
