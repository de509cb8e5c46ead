package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.rollcall.lab.demo.Outcome;
import dev.rollcall.lab.demo.Scene;
import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cluster")
@ExtendWith(OnStage.class)
class ScenesClusterTest {
  @TestFactory
  Stream<DynamicTest> everySceneHolds(Stage stage) {
    int rounds = Counts.of("rounds of all scenes", 1, 10);
    return IntStream.rangeClosed(1, rounds)
        .boxed()
        .flatMap(round ->
            Scenes.all().stream()
                .map(scene -> dynamicTest(scene.name() + ", " + round, () -> hold(scene, stage))));
  }

  private static void hold(Scene scene, Stage stage) {
    Outcome outcome = scene.play(stage);
    System.out.printf("%s %d ms: %s%n", scene.name(), outcome.millis(), outcome.seen());
    assertTrue(outcome.ok(), () -> scene.name() + ": " + outcome + "\n" + stage.cluster().logs());
  }
}
