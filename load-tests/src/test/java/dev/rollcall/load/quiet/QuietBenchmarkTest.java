package dev.rollcall.load.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slurm")
@Tag("full")
class QuietBenchmarkTest {
  @Test
  void measuresTheAgentsBesideSlurmdAndTheFloorAtRestAndAmongJobs() {
    Path distribution =
        Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall").toAbsolutePath();
    var bench = new Bench(true, distribution.normalize(), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new QuietBenchmark().run(bench);
    var names = cases.stream().map(BenchCase::name).collect(Collectors.toSet());
    assertEquals(cases.size(), names.size(), names.toString());
    for (String when : List.of("at rest", "among jobs")) {
      for (String what :
          List.of("RSS", "PSS", "threads", "CPU, all of it", "wake-ups", "lost a second")) {
        String name = when + ", " + what;
        assertTrue(names.containsAll(List.of(name, name + ", Slurm's jobs")), names.toString());
      }
    }
    for (BenchCase one : cases) {
      assertTrue(one.ours().value() >= 0, one.toString());
      assertTrue(one.peer().isPresent() && one.floor().isPresent(), one.toString());
      assertEquals(one.name().startsWith("among jobs"), one.facts().containsKey("jobs_per_minute"));
      if (one.name().contains("RSS")) {
        assertTrue(one.ours().value() > one.floor().orElseThrow().value(), one.toString());
      }
    }
  }
}
