package dev.rollcall.load.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("root")
class ContainerBenchmarkTest {
  private static final String OWN = "rollcall-bench-container-";

  /** Of ours: others come and go on this machine. */
  private static List<String> mounts() throws IOException {
    return Files.readAllLines(Path.of("/proc/thread-self/mountinfo")).stream()
        .filter(
            line -> line.contains(OWN) || line.contains(" /tmp ") || line.contains(" /dev/shm "))
        .toList();
  }

  private static List<Path> directories() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/var/tmp"))) {
      return all.filter(each -> each.toString().contains(OWN)).toList();
    }
  }

  @Test
  void measuresBothWaysAndLeavesNothing() throws IOException {
    List<String> before = mounts();
    List<Path> there = directories();
    var bench = new Bench(true, Path.of(""), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new ContainerBenchmark().run(bench);
    assertEquals("begin", cases.getFirst().name());
    assertEquals("end", cases.getLast().name());
    assertTrue(
        cases.stream().anyMatch(one -> one.name().equals("begin, mount tmpfs on .../shm")),
        cases::toString);
    cases.forEach(one -> assertTrue(one.ours().value() > 0, one::toString));
    assertEquals(2, cases.stream().filter(one -> one.ratio().isPresent()).count());
    assertEquals(before, mounts());
    assertEquals(there, directories());
  }
}
