package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users' processes outside of jobs are listed: real ones, by real agents and gateways. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class OutsideProcessesClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** A look is good for two seconds. */
  private static Optional<JsonObject> listed(Result asked, long pid) {
    return nodes(asked).stream()
        .flatMap(node -> node.getJsonArray("processes").stream())
        .map(JsonObject.class::cast)
        .filter(each -> each.getLong("pid") == pid)
        .findFirst();
  }

  private static List<JsonObject> nodes(Result asked) {
    return new JsonArray(asked.outOrThrow("outside").strip())
        .stream().map(JsonObject.class::cast).toList();
  }

  private static JsonObject awaitListed(Stage stage, ClusterNode node, long pid) {
    Eventually.await(
        DEADLINE,
        () -> listed(node.rollcall("outside", "--json"), pid).isPresent(),
        () -> "process " + pid + " is not listed: " + stage.cluster().logs());
    return listed(node.rollcall("outside", "--json"), pid).orElseThrow();
  }

  private static String command() {
    Path home = SourceTree.ROOT;
    return "env JAVA_HOME=%s %s"
        .formatted(
            System.getProperty("java.home"), home.resolve("deploy/target/rollcall/bin/rollcall"));
  }

  /** Leaves a process behind that only forked: nothing tells the agent of it. */
  private static long leaveBehind(ClusterNode node, User user) {
    String said =
        node.shell(user, "setsid sleep 611 >/dev/null 2>&1 </dev/null & echo $!")
            .outOrThrow("a process that stays");
    return Long.parseLong(said.strip());
  }

  @Test
  void whatIsLeftOverIsListedForItsUserAndForAdministratorsAndForNobodyElse(Stage stage) {
    ClusterNode node = stage.node1();
    long alices = leaveBehind(node, User.ALICE);
    long bobs = leaveBehind(node, User.BOB);
    try {
      JsonObject seen = awaitListed(stage, node, alices);
      assertEquals("alice", seen.getString("user"), seen::encode);
      assertEquals("sleep", seen.getString("command"), seen::encode);
      assertEquals("left-over", seen.getString("by"), seen::encode);
      assertEquals("left alone", seen.getString("will_be"), seen::encode);
      assertTrue(seen.getString("since").startsWith("20"), seen::encode);

      Result hers = node.shell(User.ALICE, command() + " outside --json");
      assertTrue(listed(hers, alices).isPresent(), hers::toString);
      assertTrue(listed(hers, bobs).isEmpty(), hers::toString);
      Result his = node.shell(User.ALICE, command() + " outside --user bob --json");
      assertEquals(new JsonArray(), nodes(his).getFirst().getJsonArray("processes"));

      // By a gateway, of both nodes at once; what node2's root asks of node1 is not told.
      Result all = stage.cluster().asAdministrator("outside", "node[1-2]", "--json");
      assertEquals(
          List.of("node1", "node2"),
          nodes(all).stream().map(each -> each.getString("node")).toList());
      assertEquals(seen, listed(all, alices).orElseThrow());
      assertTrue(listed(all, bobs).isPresent(), all::toString);
      assertEquals(List.of(), nodes(stage.node2().rollcall("outside", "node1", "--json")));

      Result absent = stage.cluster().asAdministrator("outside", "node77");
      assertEquals(5, absent.exit(), absent::toString);
      assertTrue(absent.out().contains("node77 is not connected to a gateway"), absent::toString);
    } finally {
      node.shell(User.ROOT, "kill " + alices + " " + bobs);
    }
  }

  /**
   * The cluster has no systemd, so a daemon of root's that is called cron stands for cron.service.
   */
  @Test
  void whatADaemonOfRootsBeginsSaysSoAndWhatIsInAJobIsNotListed(Stage stage) {
    ClusterNode node = stage.node1();
    try (var jobs = stage.begin(1, User.ALICE, node)) {
      var inside = stage.startInJob(node, jobs.oldest(), User.ALICE, "sleep", "612");
      var cron =
          node.start(
              User.ROOT,
              "sh",
              "-c",
              "d=$(mktemp -d) && cp /bin/dash $d/cron && $d/cron -c 'setpriv --reuid=2001"
                  + " --regid=2001 --clear-groups sleep 613 & echo pid $!; wait'; rm -r $d");
      try {
        cron.awaitOutput("pid ", DEADLINE);
        long pid = Long.parseLong(cron.outSoFar().strip().substring("pid ".length()));
        Eventually.await(
            DEADLINE,
            () ->
                listed(node.rollcall("outside", "--json"), pid)
                    .filter(each -> each.getString("command").equals("sleep"))
                    .isPresent(),
            () -> "cron's process is not listed: " + stage.cluster().logs());
        Result all = node.rollcall("outside", "--json");
        assertEquals("cron", listed(all, pid).orElseThrow().getString("by"), all::toString);
        assertTrue(inside.isAlive());
        assertTrue(
            nodes(all).stream()
                .flatMap(each -> each.getJsonArray("processes").stream())
                .map(JsonObject.class::cast)
                .noneMatch(each -> each.getString("cgroup").contains("job_")),
            all::toString);
        node.shell(User.ROOT, "kill " + pid);
      } finally {
        cron.kill();
        inside.kill();
      }
    }
  }

  @Test
  void aSessionThatWasLetInWithoutAJobIsNamedWithTheJobItWouldHaveEntered(Stage stage)
      throws IOException {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2());
        var file = new AuditOnlyYaml(stage.cluster())) {
      file.write("users: [alice]\n");
      file.awaitRead();
      String inJob = "job " + jobs.oldest();
      Eventually.await(
          DEADLINE,
          () -> {
            try (var session = HeldSession.open(stage, jobs.oldest())) {
              if (session.place().equals(inJob)) {
                return false; // what logins read follows
              }
              JsonObject seen = awaitListed(stage, stage.node2(), session.pid());
              assertEquals("ssh", seen.getString("by"), seen::encode);
              assertEquals("alice", seen.getString("session_user"), seen::encode);
              assertEquals(jobs.oldest(), seen.getLong("job"), seen::encode);
              assertEquals("session", seen.getString("job_by"), seen::encode);
              return true;
            }
          },
          () -> "a session stays outside: " + stage.cluster().logs());
      file.delete();
      file.awaitRead();
      // Other tests have this node, too.
      Eventually.await(
          DEADLINE,
          () -> {
            try (var session = HeldSession.open(stage, jobs.oldest())) {
              return session.place().equals(inJob);
            }
          },
          () -> "a session enters its job again: " + stage.cluster().logs());
    }
  }
}
