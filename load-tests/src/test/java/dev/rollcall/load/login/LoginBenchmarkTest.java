package dev.rollcall.load.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slurm")
@Tag("full")
class LoginBenchmarkTest {
  private static final List<String> ACCOUNT =
      List.of(
          "no job, refused",
          "one job",
          "several jobs, caller found",
          "several jobs, source refuses",
          "several jobs, source drops packets",
          "10 at once, caller found",
          "one job, after a rest");

  @Test
  void measuresEveryCaseBesideSlurmsModuleAndTheFloor() {
    Path distribution =
        Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall").toAbsolutePath();
    var bench = new Bench(true, distribution.normalize(), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new LoginBenchmark().run(bench);
    Set<String> names = cases.stream().map(BenchCase::name).collect(Collectors.toSet());
    assertEquals(cases.size(), names.size(), names.toString());
    for (String account : ACCOUNT) {
      assertTrue(names.containsAll(List.of(account, account + ", Slurm's jobs")), names.toString());
    }
    assertTrue(names.contains("caller looked up, 20 other processes, asked for"), names.toString());
    for (BenchCase one : cases) {
      assertTrue(one.ours().value() > 0, one.toString());
      assertTrue(one.floor().orElseThrow().value() > 0, one.toString());
      boolean compared = !one.name().contains("agent's start");
      assertEquals(compared, one.peer().isPresent(), one.toString());
      assertEquals(one.name().startsWith("ssh") ? "ms" : "us", one.unit());
      assertFalse(one.name().startsWith("ssh") && one.ours().value() < 10, one.toString());
    }
  }
}
