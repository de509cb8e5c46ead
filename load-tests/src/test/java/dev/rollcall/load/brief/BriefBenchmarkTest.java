package dev.rollcall.load.brief;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
@Tag("full")
class BriefBenchmarkTest {
  /** The least that a JVM takes; a program in C is far below. */
  private static final double OF_A_JVM_MB = 20;

  @Test
  void measuresEachWordBesideTheFloorAndNoneIsAJvm() {
    Path distribution =
        Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall").toAbsolutePath();
    var bench = new Bench(true, distribution.normalize(), Path.of(""), 1, List.of(), _ -> {});
    List<BenchCase> cases = new BriefBenchmark().run(bench);
    assertEquals(
        List.of(
            "whois",
            "whois, CPU",
            "connect",
            "connect, CPU",
            "job begin",
            "job begin, CPU",
            "job end",
            "job end, CPU",
            "5 job begin at once, CPU",
            "5 prologs at once, CPU"),
        cases.stream().map(BenchCase::name).toList());
    for (BenchCase one : cases) {
      assertTrue(one.ours().value() > 0, one.toString());
      assertTrue(one.floor().isPresent(), one.toString());
    }
    cases.stream()
        .filter(one -> one.facts().containsKey("megabytes"))
        .forEach(
            one -> assertTrue((double) one.facts().get("megabytes") < OF_A_JVM_MB, one.toString()));
  }
}
