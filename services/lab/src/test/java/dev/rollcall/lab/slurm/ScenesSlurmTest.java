package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.rollcall.lab.demo.Outcome;
import dev.rollcall.lab.demo.Scene;
import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.docs.RunsOn;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** The demo's scenes, on Slurm's own jobs. */
@RunsOn(
    system = "Debian 12",
    kernel = "6.18",
    slurm = "22.05",
    tests = "network namespaces on cgroup v1 as nodes, the scenes of the demo")
@RunsOn(
    system = "Debian 13, a minimal chroot",
    kernel = "6.18",
    slurm = "24.11",
    tests = "all tests with a real Slurm, the scenes of the demo among them",
    options = "--slurm 24.11")
@RunsOn(
    system = "Debian sid, a minimal chroot",
    kernel = "6.18",
    slurm = "26.05",
    tests = "all tests with a real Slurm, the scenes of the demo among them",
    options = "--slurm 26.05")
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class ScenesSlurmTest {
  @TestFactory
  Stream<DynamicTest> everySceneHolds(SlurmStage shared) {
    return Scenes.withSlurm(shared.jobs()).stream()
        .map(scene -> dynamicTest(scene.name(), () -> hold(scene, shared.stage(), shared.jobs())));
  }

  private static void hold(Scene scene, Stage stage, SlurmCommandJobs slurm) {
    Outcome outcome = scene.play(stage);
    System.out.printf("%s %d ms: %s%n", scene.name(), outcome.millis(), outcome.seen());
    assertTrue(
        outcome.ok(),
        () -> scene.name() + ": " + outcome + "\n" + stage.cluster().logs() + "\n" + slurm.logs());
  }
}
