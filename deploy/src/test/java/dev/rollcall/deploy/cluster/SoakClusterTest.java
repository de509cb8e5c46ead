package dev.rollcall.deploy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.cluster.Result;
import dev.rollcall.testkit.cluster.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A minute of the soak by default; the full count is the whole cluster for ten. */
@Tag("cluster")
class SoakClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(25);

  @Test
  void nothingIsViolated() {
    int minutes = Counts.of("minutes of soak", 1, 10);
    int nodes = Counts.of("nodes of the soak", 6, 20);
    Path launcher =
        Path.of(System.getProperty("rollcall.home"), "deploy/target/rollcall/bin/rollcall");
    Result soak =
        Running.run(
            DEADLINE,
            List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                launcher.toString(),
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
  }
}
