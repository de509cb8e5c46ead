package dev.rollcall.load.scrape;

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
class ScrapeBenchmarkTest {
  @Test
  void measuresBothReadersAndLeavesNothing() throws IOException {
    var bench = new Bench(true, Path.of(""), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new ScrapeBenchmark().run(bench);
    assertEquals(3, cases.size(), cases.toString());
    cases.forEach(one -> assertTrue(one.ours().value() > 0, one.toString()));
    long withPeer = cases.stream().filter(one -> one.peer().isPresent()).count();
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    assertEquals(1, withPeer);
    String left = "rollcall-bench-scrape-" + ProcessHandle.current().pid();
    for (var mount : mounts.all()) {
      assertFalse(Files.exists(mount.point().resolve(left)), mount.toString());
    }
  }
}
