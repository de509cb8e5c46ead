package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A minute of the soak by default; the full count is the whole cluster for ten. */
@Tag("cluster")
@Tag("full")
class SoakClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(25);

  @Test
  void nothingIsViolated() {
    int minutes = Counts.of("minutes of soak", 1, 10);
    int nodes = Counts.of("nodes of the soak", 6, 20);
    Result soak =
        Running.run(
            DEADLINE,
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Drollcall.home=" + SourceTree.ROOT,
                "-Drollcall.distribution=" + SourceTree.DISTRIBUTION,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.rollcall.lab.Main",
                "soak",
                "--minutes",
                Integer.toString(minutes),
                "--nodes",
                Integer.toString(nodes),
                "--gateways",
                "3",
                "--json"));
    System.out.println(soak.out());
    assertEquals(0, soak.exit(), soak::toString);
    assertTrue(soak.out().contains("\"violations\":[]"), soak.out());
    assertTrue(soak.out().contains("\"attacks of a hostile user\":"), soak.out());
  }
}
