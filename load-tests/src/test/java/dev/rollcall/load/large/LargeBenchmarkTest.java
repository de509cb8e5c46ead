package dev.rollcall.load.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Needs the distribution, as all that is tagged so. */
@Tag("cluster")
@Tag("full")
class LargeBenchmarkTest {
  @Test
  void eachSizeIsMeasuredThroughTheLossOfAllGateways() {
    Path home = Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall");
    List<BenchCase> cases =
        new LargeBenchmark().run(new Bench(true, home, home, 1, List.of(), System.out::println));
    for (int nodes : List.of(10, 20)) {
      for (String what :
          List.of(
              "CPU to connect, each",
              "heap, each",
              "at rest",
              "CPU of a wave",
              "heap of a process",
              "CPU of a call",
              "heap of a call",
              "Identify meanwhile",
              "a gateway killed, until all connect",
              "all restarted, from the first to the last",
              "largest heap after it")) {
        BenchCase one = named(cases, nodes + " nodes, " + what);
        assertTrue(Double.isFinite(one.ours().value()), one.toString());
      }
      BenchCase meanwhile = named(cases, nodes + " nodes, Identify meanwhile");
      assertTrue(meanwhile.ours().value() > 0, meanwhile.toString());
      assertEquals(50L, meanwhile.facts().get("asked"), meanwhile.toString());
    }
    BenchCase first = named(cases, "what breaks first");
    assertEquals(true, first.facts().get("computed"), first.toString());
    assertEquals(20, first.facts().get("largest_run"), first.toString());
    assertFalse(first.facts().containsKey("failed_at"), first.toString());
    assertTrue(cases.stream().anyMatch(one -> one.name().startsWith("growth: ")), cases.toString());
  }

  private static BenchCase named(List<BenchCase> cases, String name) {
    return cases.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no case '" + name + "' in " + cases));
  }
}
