package dev.rollcall.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class LookAroundTest {
  /** An agent records only calls of processes in the cgroup of its node. */
  @Test
  void theLineThatEntersANodeLeadsIntoItsCgroup() {
    var shape = new ClusterShape(1, 1);
    try (var cluster = TestCluster.start(ClusterSetup.bare().withShape(shape))) {
      String line =
          new LookAround(cluster, Path.of("/nowhere"), false)
              .text()
              .lines()
              .filter(each -> each.endsWith("/enter node1"))
              .findFirst()
              .orElseThrow()
              .strip();
      String command = "echo 'hostname -s; cat /proc/self/cgroup' | " + line;
      List<String> said =
          Running.run(Duration.ofMinutes(1), List.of("sh", "-c", command))
              .outOrThrow(command)
              .lines()
              .toList();
      ClusterNode node1 = cluster.node(NodeAddress.NODE1);
      assertEquals("node1", said.getFirst());
      assertEquals("exec", node1.below(String.join("\n", said)));
    }
  }
}
