package dev.rollcall.load.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.CgroupMounts;
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
@Tag("full")
class MicroBenchmarkTest {
  @Test
  void tellsTimeAndAllocationOfEachActAndLeavesNothing() throws IOException {
    var bench = new Bench(true, Path.of(""), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new MicroBenchmark().run(bench);
    assertFalse(cases.getFirst().facts().containsKey("not_measured"), cases.getFirst().toString());
    assertEquals(
        Stream.of(Act.values())
            .flatMap(act -> Stream.of(act.text(), act.text() + ", allocated"))
            .toList(),
        cases.stream().map(BenchCase::name).toList());
    for (BenchCase one : cases) {
      boolean time = !one.name().endsWith(", allocated");
      assertEquals(time ? "ns" : "B", one.unit());
      assertTrue(one.ours().value() >= (time ? 1 : 0), one.toString());
    }
    Path cgroups = CgroupMounts.read(Path.of("/proc")).v2().orElseThrow().point();
    try (Stream<Path> left = Files.list(cgroups)) {
      assertEquals(
          List.of(),
          left.filter(path -> path.toString().contains("rollcall-bench-micro")).toList());
    }
  }
}
