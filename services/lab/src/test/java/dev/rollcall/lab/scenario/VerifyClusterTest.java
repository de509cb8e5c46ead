package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cluster")
@ExtendWith(OnStage.class)
class VerifyClusterTest {
  private static Result verify(Stage stage, String... words) {
    Path home = SourceTree.ROOT;
    var argv =
        new java.util.ArrayList<>(
            java.util.List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                home.resolve("deploy/target/rollcall/bin/rollcall").toString(),
                "verify",
                "--host",
                "node2"));
    argv.addAll(java.util.List.of(words));
    return stage.node2().exec(User.ROOT, argv.toArray(String[]::new));
  }

  @Test
  void aSessionSeesWhatAStepSees(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node2())) {
      String older = Long.toString(jobs.oldest());
      Result alike = verify(stage, older);
      assertEquals(
          "job " + older + ": session and step have the same view\n", alike.outOrThrow("verify"));
    }
  }

  @Test
  void namesAJobThatIsNotHere(Stage stage) {
    Result refused = verify(stage, "987654");
    assertTrue(refused.exit() != 0, refused.out());
    assertTrue(refused.err().contains("job 987654 is not on this node"), refused.err());
  }
}
