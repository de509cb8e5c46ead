package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What users ask about their sessions, and how they choose, with real sshd and agents. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class SessionCommandsClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int LOGINS = 20;

  /** The command as anybody calls it. */
  private static String rollcall() {
    Path home = SourceTree.ROOT;
    return "env JAVA_HOME=%s %s"
        .formatted(
            System.getProperty("java.home"), home.resolve("deploy/target/rollcall/bin/rollcall"));
  }

  /** From outside of any job on a node, through the command, to node2. */
  private static Result connect(ClusterNode from, long job, String script) {
    String proxy =
        "ProxyCommand env -u ROLLCALL_CLI_OPTS %s connect --job %d %%h %%p"
            .formatted(rollcall(), job);
    return from.exec(User.ALICE, "ssh", "-o", proxy, "node2", script);
  }

  @Test
  void aSessionThatIsConnectedFromAJobEntersItAndSaysWhy(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      for (long job : List.of(jobs.oldest(), jobs.newest())) {
        Result said = connect(stage.node1(), job, rollcall() + " why --json");
        var why = new JsonObject(said.outOrThrow("why").strip());
        assertEquals("caller-job", why.getString("reason"), why::encode);
        assertEquals(job, why.getLong("job"), why::encode);
        assertEquals("alice", why.getString("user"), why::encode);
        assertEquals("node2", why.getString("node"), why::encode);
      }
    }
  }

  @Test
  void aCallFromAJobThatIsElsewhereIsNotMade(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      Result refused = connect(stage.node1(), jobs.oldest(), "true");
      assertEquals(255, refused.exit(), refused.out());
      assertTrue(
          refused.err().contains("rollcall: cannot call from job " + jobs.oldest()), refused.err());
      assertTrue(refused.err().contains("you have no such job on this node"), refused.err());
    }
  }

  @Test
  void aSessionDoesNotLeaveItsJobAndIsListed(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      String script =
          "%1$s switch %2$d 2>&1; cat /proc/self/cgroup; %1$s why --json; %1$s sessions --live --json; %1$s switch 987654"
              .formatted(rollcall(), jobs.newest());
      Result session = connect(stage.node1(), jobs.oldest(), script);
      List<String> lines = session.out().lines().toList();
      assertTrue(
          lines.getFirst().contains("is in job " + jobs.oldest() + ", and users of this node"),
          session::toString);
      assertEquals(
          "job " + jobs.oldest(),
          Storm.place(
              stage.node2().below(String.join("\n", lines.subList(1, lines.size() - 2)) + "\n")),
          session::toString);
      var listed = new JsonArray(lines.getLast());
      assertEquals(true, listed.getJsonObject(0).getBoolean("live"), listed::encode);
      var why = new JsonObject(lines.get(lines.size() - 2));
      for (JsonObject told : List.of(listed.getJsonObject(0), why)) {
        assertEquals(
            new JsonArray().add(jobs.oldest()), told.getJsonArray("jobs_now"), told::encode);
        assertEquals(jobs.oldest(), told.getLong("job"), told::encode);
      }
      assertEquals(4, session.exit(), session::toString);
    }
  }

  @Test
  void whoWatchesSeesASessionComeIn(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      Running watch =
          stage
              .node2()
              .start(
                  User.ROOT,
                  "sh",
                  "-c",
                  "exec " + rollcall() + " watch --uid 2001 --count 1 --json");
      // It does not say when it has begun to watch: sessions come until it has seen one.
      for (int i = 0; i < LOGINS && watch.isAlive(); i++) {
        var _ = stage.node1().exec(User.ALICE, "ssh", "node2", "true");
      }
      var seen = new JsonObject(watch.await(DEADLINE).outOrThrow("watch").strip());
      assertEquals("only-job", seen.getString("reason"), seen::encode);
      assertEquals(jobs.oldest(), seen.getLong("job"), seen::encode);
    }
  }
}
