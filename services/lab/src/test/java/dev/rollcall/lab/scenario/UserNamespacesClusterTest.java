package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.InJob;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.PlantedLibrary.Load;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs whose mounts belong to a user namespace, which sessions enter by sshd's forced command. */
@Tag("cluster")
class UserNamespacesClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Path DISTRIBUTION = SourceTree.DISTRIBUTION;
  private static final String CONTAINERS =
      """
      defaults:
        auto_base_path: true
        base_path: /run/jobs/%n
        dirs: [/tmp, /dev/shm]
        clone_ns_flags: [CLONE_NEWUSER, CLONE_NEWPID]
      """;
  private static final String WHERE = "readlink /proc/self/ns/user /proc/self/ns/mnt";

  private static TestCluster cluster;
  private static AgentLines agents;
  private static Stage stage;

  @BeforeAll
  static void raise() {
    cluster =
        TestCluster.start(
            ClusterSetup.of(DISTRIBUTION).withContainers(CONTAINERS).withForceCommand());
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
    stage.awaitConnection();
  }

  @AfterAll
  static void takeDown() {
    agents.close();
    cluster.close();
  }

  private static ClusterNode login() {
    return cluster.node(NodeAddress.LOGIN);
  }

  /** From outside of all jobs to node2. */
  private static Result ssh(User user, String command) {
    return login().exec(user, "ssh", "node2", command);
  }

  private static String step(long job, User user, String script) {
    return stage
        .startInJob(stage.node2(), job, user, "sh", "-c", script)
        .await(DEADLINE)
        .outOrThrow("a step of job " + job);
  }

  @Test
  void aSessionSharesWhatTheStepsHaveAndAnotherUsersDoesNot() {
    try (OpenJobs alices = stage.begin(1, User.ALICE, stage.node1(), stage.node2());
        OpenJobs bobs = stage.begin(1, User.BOB, stage.node2())) {
      String inside = step(alices.oldest(), User.ALICE, "echo it >/tmp/shared; " + WHERE);
      assertEquals("it\n" + inside, ssh(User.ALICE, "cat /tmp/shared; " + WHERE).out());
      assertEquals(
          "it\n" + inside,
          stage
              .startInJob(
                  stage.node1(),
                  alices.oldest(),
                  User.ALICE,
                  "ssh",
                  "node2",
                  "cat /tmp/shared; " + WHERE)
              .await(DEADLINE)
              .out());
      Result bob = ssh(User.BOB, "cat /tmp/shared 2>/dev/null; " + WHERE);
      assertEquals(step(bobs.oldest(), User.BOB, WHERE), bob.out());
      assertNotEquals(inside, bob.out());
      assertFalse(stage.node2().exec(User.ALICE, "cat", "/tmp/shared").ok());
      String outside = stage.node2().shell(User.ALICE, WHERE).out();
      assertNotEquals(inside, outside);
      assertEquals(
          User.ALICE.uid() + " 65534 rollcall:" + alices.oldest() + "\n",
          ssh(User.ALICE, "echo $(id -u) $(stat -c %u /) $(cat /proc/1/comm)").out());
    }
  }

  @Test
  void whatSessionsAreUsedForWorks() {
    try (OpenJobs jobs = stage.begin(1, User.ALICE, stage.node2())) {
      Result piped = ssh(User.ALICE, "printf 'a\\nb\\n' | grep -c .; exit 7");
      assertEquals("2\n", piped.out());
      assertEquals(7, piped.exit());
      assertEquals("hi\n", login().shell(User.ALICE, "echo hi | ssh node2 cat").out());
      login().exec(User.ALICE, "scp", "/etc/hostname", "node2:/tmp/a").outOrThrow("scp");
      login().exec(User.ALICE, "scp", "-O", "/etc/hostname", "node2:/tmp/b").outOrThrow("scp -O");
      login()
          .shell(User.ALICE, "echo put /etc/hostname /tmp/c | sftp -b - node2")
          .outOrThrow("sftp");
      assertEquals("/tmp/a /tmp/b /tmp/c\n", step(jobs.oldest(), User.ALICE, "echo /tmp/[abc]"));
      assertFalse(Files.exists(stage.node2().file("/tmp/a")));
      Result terminal =
          login()
              .shell(
                  User.ALICE,
                  "printf 'echo my $0, $(tty); false | cat; jobs; exit 5\\n' | ssh -tt node2");
      assertEquals(5, terminal.exit(), terminal::out);
      assertTrue(terminal.out().contains("my -bash, /dev/pts/"), terminal::out);
      assertFalse(terminal.out().contains("job control"), terminal::out);
    }
  }

  /** As enroot makes it: namespaces of the task's own, below those of its job. */
  @Test
  void aSessionEntersTheContainerOfATaskIfItsUserChoosesThat() {
    String script =
        "exec unshare --user --map-root-user --mount --pid --fork --mount-proc --kill-child"
            + " sh -c 'echo $(%s) it; exec sleep 86399.519'".formatted(WHERE);
    String choice = "SetEnv=ROLLCALL_TASK_CONTAINER=any";
    String where = "echo $(%s) it".formatted(WHERE);
    try (OpenJobs jobs = stage.begin(1, User.ALICE, stage.node2())) {
      long job = jobs.oldest();
      Result refused = login().exec(User.ALICE, "ssh", "-o", choice, "node2", "echo in");
      assertEquals(
          "125 rollcall-enter: no task of the job on this node runs in a container\n",
          refused.exit() + " " + refused.out() + refused.err());
      InJob task = stage.startInJob(stage.node2(), job, User.ALICE, "sh", "-c", script);
      String inside = task.awaitLine(" it", DEADLINE);
      Result chosen = login().exec(User.ALICE, "ssh", "-o", choice, "node2", where + "; id -u");
      assertEquals(inside + "0\n", chosen.out(), chosen::err);
      String enter =
          "env JAVA_HOME=%s %s enter"
              .formatted(System.getProperty("java.home"), DISTRIBUTION.resolve("bin/rollcall"));
      Result within = ssh(User.ALICE, enter + " -- sh -c '" + where + "'");
      assertEquals(inside, within.out(), within::err);
      assertNotEquals(inside, ssh(User.ALICE, where).out());
    }
  }

  @Test
  void aSessionSeesWhatAStepSees() {
    try (OpenJobs jobs = stage.begin(1, User.ALICE, stage.node2())) {
      String job = Long.toString(jobs.oldest());
      assertEquals(
          "job " + job + ": session and step have the same view\n",
          rollcall(stage.node2(), "verify", "--host", "node2", job).outOrThrow("verify"));
    }
  }

  @Test
  void aSessionEndsWithItsJob() {
    Running ssh;
    String sleep = "sleep 86399.517";
    try (OpenJobs jobs = stage.begin(1, User.ALICE, stage.node2())) {
      ssh = login().start(User.ALICE, "ssh", "node2", "echo here; exec " + sleep);
      ssh.awaitOutput("here", DEADLINE);
      assertEquals(1, agents.open(stage.node2()).size(), () -> "not " + jobs);
    }
    assertFalse(ssh.await(DEADLINE).ok());
    assertFalse(
        ProcessHandle.allProcesses()
            .anyMatch(one -> one.info().commandLine().orElse("").endsWith(sleep)));
    assertFalse(ssh(User.ALICE, "true").ok());
  }

  /** Though sshd has the forced command: what PAM refuses runs nothing. */
  @Test
  void anAgentThatDoesNotKnowOfTheForcedCommandRefuses() throws IOException {
    ClusterNode node3 = cluster.node(NodeAddress.NODE3);
    Path config = cluster.directory().resolve("node3/agent.yaml");
    String said = Files.readString(config);
    Files.writeString(config, said.replace("force_command", "refuse"));
    cluster.agent(NodeAddress.NODE3).kill();
    cluster.agent(NodeAddress.NODE3).start();
    cluster.agent(NodeAddress.NODE3).awaitConnected();
    try (OpenJobs jobs = stage.begin(1, User.ALICE, node3)) {
      Result refused = login().exec(User.ALICE, "ssh", "node3", "echo in");
      assertFalse(refused.ok());
      assertFalse(refused.out().contains("in\n"), refused::out);
      String told = refused.out() + refused.err();
      assertTrue(
          told.contains(
              "job " + jobs.oldest() + " has a user namespace, which sshd does not enter"),
          told);
    }
  }

  @Test
  void whatAUserPlantsInsideIsNeverLoadedByRoot() throws IOException {
    ClusterNode node2 = stage.node2();
    try (OpenJobs jobs = stage.begin(1, User.ALICE, node2)) {
      long job = jobs.oldest();
      String pins = "/run/rollcall/containers/" + job;
      PlantedLibrary planted = PlantedLibrary.in(node2, pins);
      for (int i = 0; i < 3; i++) {
        assertEquals("alice\n", ssh(User.ALICE, "id -un").out());
      }
      assertEquals("alice\n", step(job, User.ALICE, "id -un"));
      isLoadedByAliceAlone(planted.loads(), "sessions and a step");
      Result ran = rollcall(node2, "job", "run", "--job", Long.toString(job), "--", "id", "-un");
      isLoadedByAliceAlone(planted.loads(), "rollcall job run");
      assertEquals("alice\n", ran.out(), ran::err);
      agents.suspend(node2, job);
      agents.resume(node2, job);
      assertEquals("alice\n", ssh(User.ALICE, "id -un").out());
      isLoadedByAliceAlone(planted.loads(), "a session after a standstill");
      // Whoever of root goes there is seen.
      node2.exec(User.ROOT, "nsenter", "--mount=" + pins + "/mnt", "true").outOrThrow("root");
      assertEquals(List.of(new Load("preload", 0, 0, "true")), planted.loads());
      agents.end(node2, job);
      assertEquals(List.of(), planted.loads());
    }
  }

  private static Result rollcall(ClusterNode node, String... words) {
    List<String> argv = new ArrayList<>(List.of("env"));
    argv.add("JAVA_HOME=" + System.getProperty("java.home"));
    argv.add(DISTRIBUTION.resolve("bin/rollcall").toString());
    argv.addAll(Arrays.asList(words));
    return node.exec(User.ROOT, argv.toArray(String[]::new));
  }

  private static void isLoadedByAliceAlone(List<Load> loads, String by) {
    long alice = User.ALICE.uid();
    // Root in a namespace that has no root is 65534 there.
    assertEquals(
        List.of(),
        loads.stream().filter(load -> load.uid() != alice || load.euid() != alice).toList(),
        by);
    assertEquals(
        List.of(), loads.stream().filter(load -> load.program().startsWith("sshd")).toList(), by);
    assertTrue(loads.stream().anyMatch(load -> load.how().equals("preload")), by);
    assertTrue(loads.stream().anyMatch(load -> load.how().equals("names")), by);
  }
}
