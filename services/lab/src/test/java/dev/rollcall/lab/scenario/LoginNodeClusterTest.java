package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Users who come from a login node, where no job runs, and choose one. */
@Tag("cluster")
class LoginNodeClusterTest {
  private static final Path HOME = SourceTree.ROOT;
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static TestCluster cluster;
  private static AgentLines agents;
  private static Stage stage;

  @BeforeAll
  static void raise() {
    cluster =
        TestCluster.start(
            ClusterSetup.of(HOME.resolve("deploy/target/rollcall"))
                .withShape(new ClusterShape(2, 1)));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
  }

  @AfterAll
  static void end() {
    agents.close();
    cluster.close();
  }

  private static String rollcall() {
    return "env JAVA_HOME=%s %s"
        .formatted(
            System.getProperty("java.home"), HOME.resolve("deploy/target/rollcall/bin/rollcall"));
  }

  private static Result ssh(User user, long job, String script) {
    ClusterNode login = cluster.node(NodeAddress.LOGIN);
    String proxy =
        "ProxyCommand env -u ROLLCALL_CLI_OPTS %s connect --job %d %%h %%p"
            .formatted(rollcall(), job);
    return login.exec(user, "ssh", "-o", proxy, "node2", script);
  }

  /** The roll hears of a job a moment after it has begun. */
  private static void awaitKnown(ClusterNode node, OpenJobs jobs) {
    Eventually.await(
        DEADLINE,
        () -> agents.roll(node).stream().map(Job::getJobId).toList().containsAll(jobs.ids()),
        () -> "jobs " + jobs.ids() + " are not all in the roll: " + cluster.logs());
  }

  @Test
  void aSessionEntersTheJobThatItsCallAsksFor() {
    try (var jobs = stage.begin(2, User.ALICE, stage.node2())) {
      awaitKnown(stage.node2(), jobs);
      for (long job : List.of(jobs.oldest(), jobs.newest())) {
        Result said = ssh(User.ALICE, job, rollcall() + " why --json; cat /proc/self/cgroup");
        List<String> lines = said.outOrThrow("why").lines().toList();
        var why = new JsonObject(lines.getFirst());
        assertEquals("chosen-job", why.getString("reason"), why::encode);
        assertEquals(job, why.getLong("job"), why::encode);
        assertEquals(
            "job " + job,
            Storm.place(
                stage.node2().below(String.join("\n", lines.subList(1, lines.size())) + "\n")),
            said::toString);
      }
    }
  }

  private static JsonObject why(Result said) {
    return new JsonObject(said.outOrThrow("why").strip());
  }

  /**
   * A machine outside, which has no Rollcall, goes through the login node by the lines of
   * docs/users.md. The user shares connections otherwise.
   */
  @Test
  void aMachineBehindTheLoginNodeReachesAJobByItsHost() throws IOException {
    Path configuration = configuration();
    try (var jobs = stage.begin(2, User.ALICE, stage.node2());
        var _ = SecondSshd.withoutPam(cluster.node(NodeAddress.LOGIN))) {
      awaitKnown(stage.node2(), jobs);
      assertReaches(jobs.oldest(), configuration, "job-" + jobs.oldest());
      String oldest = "job-" + jobs.oldest();
      Result paramiko =
          cluster
              .node(NodeAddress.NODE1)
              .exec(User.ALICE, "python3", "-c", PARAMIKO, configuration.toString(), oldest);
      assertEquals(jobs.oldest() + "\n", paramiko.outOrThrow("paramiko"));
      assertReaches(jobs.newest(), configuration, "job-latest");
      try (var later = stage.begin(1, User.ALICE, stage.node2())) {
        String listed = "\"job\":" + later.newest();
        ClusterNode login = cluster.node(NodeAddress.LOGIN);
        Eventually.await(
            DEADLINE,
            () -> login.rollcall(User.ALICE, "jobs --json").outOrThrow("jobs").contains(listed),
            () -> "the login node lists no job " + later.newest());
        assertReaches(later.newest(), configuration, "job-latest");
      }
    } finally {
      Files.delete(configuration);
    }
  }

  /** As Spyder connects: of ProxyCommand paramiko replaces only ~, %h, %p and %r. */
  private static final String PARAMIKO =
      """
      import os, paramiko, sys
      path, host = sys.argv[1:]
      proxy = paramiko.SSHConfig.from_path(path).lookup(host)["proxycommand"]
      client = paramiko.SSHClient()
      client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
      client.connect(host, username="alice", sock=paramiko.ProxyCommand(proxy))
      print(client.exec_command("echo $SLURM_JOB_ID")[1].read().decode(), end="", flush=True)
      os._exit(0)
      """;

  private static void assertReaches(long job, Path configuration, String host) {
    ClusterNode node = cluster.node(NodeAddress.NODE1);
    List<String> ssh = List.of("ssh", "-F", configuration.toString(), host);
    JsonObject why =
        why(
            node.exec(
                User.ALICE,
                Stream.concat(ssh.stream(), Stream.of(rollcall() + " why --json"))
                    .toArray(String[]::new)));
    assertEquals(job, why.getLong("job"), why::encode);
    assertEquals("chosen-job", why.getString("reason"), why::encode);
  }

  private static Path configuration() throws IOException {
    String login =
        "ssh -p %s -o HostKeyAlias=login login env -u ROLLCALL_CLI_OPTS %s"
            .formatted(SecondSshd.PORT, rollcall());
    String page = Files.readString(HOME.resolve("docs/users.md"));
    String lines =
        page.substring(page.indexOf("Host job-*"), page.indexOf("```", page.indexOf("Host job-*")))
            .replace("YOUR_NAME", "alice")
            .replace("ssh LOGIN_NODE rollcall", login)
            .replace("HOST_KEYS", "node2");
    String sharing =
        """
        Host *
            Include /etc/ssh/ssh_config
            ControlMaster auto
            ControlPath /tmp/rollcall-master-%r-%h
            ControlPersist 10
        """;
    Path file = Files.createTempFile(HOME.resolve("services/lab/target"), "ssh", ".conf");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return Files.writeString(file, lines + sharing);
  }

  @Test
  void anothersJobIsNotAskedForAndNothingIsConnected() {
    try (var alices = stage.begin(2, User.ALICE, stage.node2());
        var bobs = stage.begin(2, User.BOB, stage.node2())) {
      awaitKnown(stage.node2(), alices);
      awaitKnown(stage.node2(), bobs);
      Result refused = ssh(User.BOB, alices.oldest(), "true");
      assertEquals(255, refused.exit(), refused::toString);
      assertTrue(
          refused
              .err()
              .contains("the gateway shows this node no job " + alices.oldest() + " of yours"),
          refused::toString);
      Result own = ssh(User.BOB, bobs.oldest(), rollcall() + " why --json");
      assertEquals(bobs.oldest(), new JsonObject(own.outOrThrow("why").strip()).getLong("job"));
    }
  }

  /** A compute node has no right to list other nodes, and every answer names that reason. */
  @Test
  void onAComputeNodeTheMissingCertificateIsNamed() {
    String why =
        "this node may not list your jobs of other nodes: it has no certificate of a login node"
            + " ('rollcall ca issue login node1')";
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      awaitKnown(stage.node2(), jobs);
      ClusterNode node1 = stage.node1();
      // Jobs of earlier tests may be closing there.
      Eventually.await(
          DEADLINE,
          () -> node1.rollcall(User.ALICE, "jobs --json").outOrThrow("jobs").strip().equals("[]"),
          () -> "there are jobs on node1");
      Result listed = node1.rollcall(User.ALICE, "jobs --json");
      assertEquals("rollcall: " + why, listed.err().strip());
      for (String words :
          List.of(
              "ssh %d -- true",
              "ps %d",
              // By the command in C.
              "connect --job %d node2 22")) {
        Result refused = node1.rollcall(User.ALICE, words.formatted(jobs.oldest()));
        assertEquals(4, refused.exit(), refused::toString);
        assertTrue(refused.err().contains(why), refused::toString);
      }
    }
  }

  /** Another one of theirs runs on the far node: what is asked for is not there. */
  @Test
  void aJobThatDoesNotRunOnTheFarNodeIsNamedInDoubt() {
    try (var elsewhere = stage.begin(1, User.ALICE, stage.node1());
        var here = stage.begin(2, User.ALICE, stage.node2())) {
      awaitKnown(stage.node1(), elsewhere);
      awaitKnown(stage.node2(), here);
      Result said = ssh(User.ALICE, elsewhere.oldest(), rollcall() + " why --json");
      var why = new JsonObject(said.outOrThrow("why").strip());
      assertEquals("caller-elsewhere", why.getString("reason"), why::encode);
      assertEquals(
          "job %d, for which the caller asks, is not an open job of this user here"
              .formatted(elsewhere.oldest()),
          why.getString("doubt"),
          why::encode);
    }
  }
}
