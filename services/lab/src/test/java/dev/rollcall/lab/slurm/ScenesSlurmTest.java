package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Outcome;
import dev.rollcall.lab.demo.Scene;
import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The demo's scenes, on Slurm's own jobs. */
@Tag("slurm")
class ScenesSlurmTest {
  @TestFactory
  Stream<DynamicTest> everySceneHolds() {
    Path home = SourceTree.DISTRIBUTION;
    Path distribution = home.toAbsolutePath().normalize();
    var cluster =
        TestCluster.start(
            ClusterSetup.of(distribution)
                .withBatchSystem(new Slurm(SlurmSetup.of(distribution)))
                .withPamOptions(SlurmSetup.PATIENCE));
    var agents = new AgentLines();
    var slurm = new SlurmCommandJobs(cluster);
    Stage stage = Stage.withSlurm(cluster, agents, slurm);
    return Scenes.withSlurm(slurm).stream()
        .map(scene -> dynamicTest(scene.name(), () -> hold(scene, stage, slurm)))
        .onClose(() -> {
          agents.close();
          cluster.close();
        });
  }

  private static void hold(Scene scene, Stage stage, SlurmCommandJobs slurm) {
    Outcome outcome = scene.play(stage);
    System.out.printf("%s %d ms: %s%n", scene.name(), outcome.millis(), outcome.seen());
    assertTrue(
        outcome.ok(),
        () -> scene.name() + ": " + outcome + "\n" + stage.cluster().logs() + "\n" + slurm.logs());
  }
}
