package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs that have more of their own than their mounts: their steps and their ssh sessions. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamespacesClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final List<String> KINDS = List.of("pid", "ipc", "uts", "net", "cgroup", "mnt");
  private static final String CONTAINERS =
      """
      defaults:
        auto_base_path: true
        base_path: /run/jobs/%n
        runtime_directory: yes
        hidden: -/srv
        clone_ns_flags: [CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWNET, CLONE_NEWCGROUP]
      node_confs:
        - {nodes: node1, options: {clone_ns_flags: [CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS]}}
      """;

  private final TestCluster cluster =
      TestCluster.start(
          ClusterSetup.of(SourceTree.DISTRIBUTION)
              .withShape(new ClusterShape(2, 1))
              .withContainers(CONTAINERS));
  private final AgentLines agents = new AgentLines();
  private final Stage stage = Stage.of(cluster, agents);
  private final ClusterNode node = stage.node2();

  @BeforeAll
  void ready() {
    stage.awaitConnection();
  }

  @AfterAll
  void end() {
    agents.close();
    cluster.close();
  }

  private String session(User user, String command) {
    return cluster
        .node(NodeAddress.LOGIN)
        .exec(user, "ssh", "node2", command)
        .outOrThrow("ssh: " + cluster.logs())
        .strip();
  }

  private String step(long job, String command) {
    return stage
        .startInJob(node, job, User.ALICE, "sh", "-c", command)
        .await(DEADLINE)
        .outOrThrow("a step of job " + job)
        .strip();
  }

  private static String links() {
    return "readlink /proc/self/ns/" + String.join(" /proc/self/ns/", KINDS);
  }

  @Test
  void aSessionIsInTheNamespacesOfItsJobsSteps() {
    List<String> outside = node.shell(User.ROOT, links()).out().lines().toList();
    try (OpenJobs jobs = stage.begin(2, User.ALICE, node)) {
      List<String> session = session(User.ALICE, links()).lines().toList();
      assertEquals(KINDS.size(), session.size());
      assertEquals(session, step(jobs.newest(), links()).lines().toList());
      List<String> other = step(jobs.oldest(), links()).lines().toList();
      for (int kind = 0; kind < KINDS.size(); kind++) {
        assertNotEquals(outside.get(kind), session.get(kind));
        assertNotEquals(other.get(kind), session.get(kind));
      }
    }
  }

  @Test
  void itSeesTheProcessesOfItsJobAlone() {
    try (OpenJobs jobs = stage.begin(1, User.ALICE, node)) {
      assertEquals("rollcall:" + jobs.newest(), session(User.ALICE, "cat /proc/1/comm"));
      long sees =
          session(User.ALICE, "ls /proc").lines().filter(name -> name.matches("[0-9]+")).count();
      assertTrue(sees < 10, () -> sees + " processes");
      assertEquals("7", session(User.ALICE, "sh -c 'exit 7'; echo $?"));
    }
  }

  @Test
  void itsCgroupsBeginWithTheJobs() {
    String own = "sed -n 's/^0:://p' /proc/self/cgroup";
    String above =
        "cat $(findmnt -rnt cgroup2 -o TARGET | tail -1)/step_extern/user/*/cgroup.procs";
    try (OpenJobs jobs = stage.begin(1, User.ALICE, node)) {
      String session = session(User.ALICE, own);
      assertTrue(session.matches("/step_extern/user/session_[0-9]+"), session);
      assertEquals("/step_0/user/task_0", step(jobs.newest(), own));
      assertTrue(session(User.ALICE, above).lines().toList().contains("1"));
    }
  }

  @Test
  void allOfItEndsWithTheJobAndNothingStays() {
    String pins = "grep -c /run/rollcall/containers/ /proc/self/mountinfo";
    String residents;
    long pid;
    try (OpenJobs jobs = stage.begin(1, User.ALICE, node)) {
      residents = "grep -lx rollcall:%d /proc/[0-9]*/comm | wc -l".formatted(jobs.newest());
      session(User.ALICE, "setsid sleep 600 </dev/null >/dev/null 2>&1 &");
      pid = sleeper(jobs.newest());
      assertEquals("1", node.shell(User.ROOT, residents).out().strip());
      assertEquals(Integer.toString(KINDS.size()), node.shell(User.ROOT, pins).out().strip());
    }
    assertFalse(ProcessStart.isAlive(pid));
    assertEquals("0", node.shell(User.ROOT, pins).out().strip());
    // It is dead; whoever adopted it may not have looked yet.
    assertTrue(
        Eventually.holds(
            DEADLINE, () -> node.shell(User.ROOT, residents).out().strip().equals("0")));
  }

  /** By its cgroup: the number it knows of itself is another. */
  private long sleeper(long job) {
    String step = "job_" + job + "/step_extern/user/session_";
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.map(ProcessHandle::pid)
          .filter(pid -> node.cgroupOf(pid).contains(step))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void itHasARuntimeDirectoryThatIsItsJobs() {
    String look = "cd %s; echo $(stat -c %%U:%%a .) $(cat word 2>/dev/null) $(ls -A /srv 2>&1)";
    try (OpenJobs jobs = stage.begin(2, User.ALICE, node)) {
      String write = "echo word > $XDG_RUNTIME_DIR/word; echo $XDG_RUNTIME_DIR";
      String runtime = session(User.ALICE, write);
      String hidden = "ls: cannot open directory '/srv': Permission denied";
      assertEquals(
          "alice:700 word " + hidden, session(User.ALICE, look.formatted("$XDG_RUNTIME_DIR")));
      assertEquals("alice:700 word " + hidden, step(jobs.newest(), look.formatted(runtime)));
      assertEquals("alice:700 " + hidden, step(jobs.oldest(), look.formatted(runtime)));
    }
  }

  @Test
  void aCallFromInsideIsItsJobs() {
    try (OpenJobs jobs = stage.begin(2, User.ALICE, stage.node1(), node)) {
      String told = "echo $SLURM_JOB_ID $ROLLCALL_REASON";
      for (long job : List.of(jobs.oldest(), jobs.newest())) {
        assertEquals(
            job + " caller-job",
            stage
                .startInJob(stage.node1(), job, User.ALICE, "ssh", "node2", told)
                .await(DEADLINE)
                .outOrThrow("ssh: " + cluster.logs())
                .strip());
      }
    }
  }

  @Test
  void theyOutliveTheAgent() {
    var agent = cluster.agent(NodeAddress.NODE2);
    try (OpenJobs _ = stage.begin(1, User.ALICE, node)) {
      String before = session(User.ALICE, links());
      agent.kill();
      agent.start();
      agent.awaitReady();
      stage.awaitConnection();
      assertEquals(before, session(User.ALICE, links()));
    }
  }
}
