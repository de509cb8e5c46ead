package dev.rollcall.load.move;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("root")
class MoveBenchmarkTest {
  @Test
  void measuresEachWayInEachHierarchyAndLeavesNothing() throws IOException {
    var bench = new Bench(true, Path.of(""), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new MoveBenchmark().run(bench);
    assertTrue(!cases.isEmpty() && cases.size() % 3 == 0, cases.toString());
    cases.forEach(one -> assertTrue(one.ours().value() > 0, one.toString()));
    assertEquals(cases.size() / 3, cases.stream().filter(one -> one.floor().isEmpty()).count());
    String left = "rollcall-bench-move-" + ProcessHandle.current().pid();
    for (var mount : CgroupMounts.read(Path.of("/proc")).all()) {
      assertFalse(Files.exists(mount.point().resolve(left)), mount.toString());
    }
  }
}
