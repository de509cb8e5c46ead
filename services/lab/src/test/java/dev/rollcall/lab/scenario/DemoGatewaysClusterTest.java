package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Outcome;
import dev.rollcall.lab.demo.Scene;
import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The demo's scenes that need gateways, with the two gateways that it has. */
@Tag("cluster")
@Tag("full")
class DemoGatewaysClusterTest {
  @Test
  void theScenesOfGatewaysHoldWithTwo() {
    var setup = ClusterSetup.of(SourceTree.DISTRIBUTION).withShape(new ClusterShape(3, 2));
    try (var cluster = TestCluster.start(setup);
        var agents = new AgentLines()) {
      Stage stage = Stage.of(cluster, agents);
      List<Scene> scenes =
          Stream.concat(
                  Scenes.withGateways(2).stream(),
                  Scenes.all().stream()
                      .filter(scene -> scene.name().equals("gateway-down-two-jobs")))
              .toList();
      assertEquals(2, scenes.size());
      for (Scene scene : scenes) {
        Outcome outcome = scene.play(stage);
        System.out.printf("%s %d ms: %s%n", scene.name(), outcome.millis(), outcome.seen());
        assertTrue(
            outcome.ok(), () -> scene.name() + ": " + outcome + "\n" + stage.cluster().logs());
      }
    }
  }
}
