package dev.rollcall.load.announce;

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
class AnnounceBenchmarkTest {
  @Test
  void measuresTheCallAndWhoHearsOfItIdleAndUnderLoad() {
    Path home = Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall");
    List<BenchCase> cases =
        new AnnounceBenchmark().run(new Bench(true, home, home, 1, List.of(), System.out::println));
    assertEquals(
        List.of(
            "connect(), a tracked port",
            "connect(), another port",
            "node B can answer, idle",
            "the gateway knows, idle",
            "the roll has answered, idle",
            "node B can answer, under load",
            "the gateway knows, under load",
            "the roll has answered, under load"),
        cases.stream().map(BenchCase::name).toList());
    for (BenchCase one : cases) {
      assertTrue(one.ours().value() > 0, one.toString());
      boolean connect = one.name().startsWith("connect");
      assertEquals(connect, one.floor().isPresent(), one.toString());
      // Idle, nobody's announcement is withheld.
      assertTrue(
          !one.name().endsWith("idle") || Integer.valueOf(0).equals(one.facts().get("missing")),
          one.toString());
    }
  }
}
