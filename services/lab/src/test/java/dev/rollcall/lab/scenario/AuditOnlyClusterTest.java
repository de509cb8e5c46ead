package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A site tries Rollcall out before it lets it decide. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class AuditOnlyClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  @Test
  void sessionsAreOnlyWatchedWhileTheFileSaysSo(Stage stage) throws IOException {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1());
        var file = new AuditOnlyYaml(stage.cluster())) {
      Result denied = login(stage, jobs.oldest());
      assertTrue(!denied.ok() && denied.err().contains("no active jobs"), denied::toString);

      file.write("users: [alice]\n");
      file.awaitRead();
      Eventually.await(
          DEADLINE,
          () -> login(stage, jobs.oldest()).ok(),
          () -> "alice is let in: " + stage.cluster().logs());
      List<String> lines = sessions(stage);
      assertTrue(
          lines.getLast().contains("\"decision\":\"stepped-aside\",\"reason\":\"no-jobs\"")
              && lines.getLast().contains("\"would\":\"denied\",\"would_job\":null"),
          lines::toString);

      JsonObject foretold = foretold(stage);
      assertEquals("denied", foretold.getString("outcome"), foretold::encode);
      assertTrue(
          foretold.getString("only_watched").endsWith("audit_only.yaml: users has alice"),
          foretold::encode);

      file.delete();
      file.awaitRead();
      Eventually.await(
          DEADLINE,
          () -> !login(stage, jobs.oldest()).ok(),
          () -> "alice is refused again: " + stage.cluster().logs());
      assertEquals(null, foretold(stage).getString("only_watched"));
    }
  }

  @Test
  void aSessionStaysOutsideOfTheJobThatItWouldHaveEntered(Stage stage) throws IOException {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2());
        var file = new AuditOnlyYaml(stage.cluster())) {
      file.write("groups: [alice]\n");
      file.awaitRead();
      String inJob = "job " + jobs.oldest();
      Eventually.await(
          DEADLINE,
          () -> {
            try (var session = HeldSession.open(stage, jobs.oldest())) {
              return !session.place().equals(inJob);
            }
          },
          () -> "a session stays outside: " + stage.cluster().logs());
      List<String> lines = sessions(stage);
      assertTrue(
          lines.getLast().contains("\"would\":\"adopted\",\"would_job\":" + jobs.oldest()),
          lines::toString);
      file.delete();
      file.awaitRead();
    }
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      Eventually.await(
          DEADLINE,
          () -> {
            try (var session = HeldSession.open(stage, jobs.oldest())) {
              return session.place().equals("job " + jobs.oldest());
            }
          },
          () -> "a session enters its job again: " + stage.cluster().logs());
    }
  }

  /** Asked from elsewhere, through a gateway. */
  private static JsonObject foretold(Stage stage) {
    Result told = stage.cluster().asAdministrator("explain", "alice", "node2", "--json");
    return new JsonObject(told.outOrThrow("explain: " + stage.cluster().logs()).strip());
  }

  private static Result login(Stage stage, long job) {
    return stage.startInJob(stage.node1(), job, User.ALICE, "ssh", "node2", "true").await(DEADLINE);
  }

  private static List<String> sessions(Stage stage) {
    Path file = stage.cluster().directory().resolve("node2/disk/audit.jsonl");
    List<String> lines =
        stage
            .node2()
            .exec(User.ROOT, "cat", file.toString())
            .outOrThrow("the audit log")
            .lines()
            .filter(line -> line.contains("\"event\":\"session\""))
            .toList();
    assertEquals(false, lines.isEmpty());
    return lines;
  }
}
