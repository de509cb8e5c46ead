package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cluster")
@ExtendWith(OnStage.class)
class SessionsClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(8);

  @Test
  void arriveInTheirCallersJobOneAndAllWhenTwoJobsOpenThemAtOnce(Stage stage) {
    int each = Counts.of("sessions, two jobs each", 60, 1000) / 2;
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      long start = System.nanoTime();
      var older = Storm.from(stage, jobs.oldest(), each);
      var newer = Storm.from(stage, jobs.newest(), each);
      var fromOlder = older.arrivals(DEADLINE);
      var fromNewer = newer.arrivals(DEADLINE);
      System.out.printf(
          "%d sessions in %d ms%n", 2 * each, (System.nanoTime() - start) / 1_000_000);
      assertEquals(Map.of("job " + jobs.oldest(), (long) each), fromOlder, stage.cluster()::logs);
      assertEquals(Map.of("job " + jobs.newest(), (long) each), fromNewer, stage.cluster()::logs);
    }
  }

  @Test
  void areLinesOfTheAuditLogOneEach(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var session = HeldSession.open(stage, jobs.oldest())) {
      // From sshd's end.
      String near = session.connection().remote().toString();
      String far = session.connection().local().toString();
      Eventually.await(
          DEADLINE,
          () -> !audited(stage, jobs.oldest()).isEmpty(),
          () -> "no line of the session from " + far);
      assertEquals(
          List.of(
              """
              {"writer":"agent","host":"node2","event":"session","phase":"account","uid":2001,\
              "user":"alice","service":"sshd","rhost":"%s","local":"%s","remote":"%s",\
              "decision":"adopted","reason":"caller-job","job":%d,"step":"extern","doubt":null,\
              "would":null,"would_job":null}\
              """
                  .formatted(NodeAddress.NODE1.v4(), near, far, jobs.oldest())),
          audited(stage, jobs.oldest()));
    }
  }

  /** What was decided about the job's sessions, without what differs from run to run. */
  private static List<String> audited(Stage stage, long job) {
    // On a disk that is mounted where the node alone sees it.
    Path file = stage.cluster().directory().resolve("node2/disk/audit.jsonl");
    return stage
        .node2()
        .exec(User.ROOT, "cat", file.toString())
        .outOrThrow("the audit log")
        .lines()
        .map(JsonObject::new)
        .filter(line -> line.getString("event").equals("session"))
        .filter(line -> Long.valueOf(job).equals(line.getLong("job")))
        .peek(line -> List.of("time", "seq", "decision_id", "took_ms").forEach(line::remove))
        .map(JsonObject::encode)
        .toList();
  }
}
