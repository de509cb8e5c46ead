package dev.rollcall.load.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
class LookupBenchmarkTest {
  @Test
  void measuresEachKindOfQuestionOfOneGatewayAndOfThree() {
    Path home = Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall");
    List<BenchCase> cases =
        new LookupBenchmark().run(new Bench(true, home, home, 1, List.of(), System.out::println));
    assertEquals(
        List.of(
            "IdentifyMany, one gateway, TLS, of a core",
            "IdentifyMany, one gateway, TLS, latency at half of it",
            "Identify, one gateway, TLS, of a core",
            "Identify, one gateway, TLS, latency at half of it",
            "port used again, one gateway, TLS",
            "IdentifyMany, three gateways, plaintext, of a core",
            "IdentifyMany, three gateways, plaintext, latency at half of it",
            "Identify, three gateways, plaintext, of a core",
            "Identify, three gateways, plaintext, latency at half of it",
            "port used again, three gateways, plaintext"),
        cases.stream().map(BenchCase::name).toList());
    for (BenchCase one : cases) {
      assertTrue(one.ours().value() > 0, one.toString());
      boolean reuse = one.name().startsWith("port");
      assertEquals(!reuse, one.floor().isPresent(), one.toString());
      assertTrue(!reuse || Integer.valueOf(0).equals(one.facts().get("stale")), one.toString());
    }
  }
}
