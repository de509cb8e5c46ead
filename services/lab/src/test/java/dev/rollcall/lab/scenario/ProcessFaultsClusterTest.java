package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.fault.ClockStep;
import dev.rollcall.lab.fault.FailingCalls;
import dev.rollcall.lab.fault.FullDisk;
import dev.rollcall.lab.fault.Hung;
import dev.rollcall.lab.fault.Killed;
import dev.rollcall.lab.fault.Reboot;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What each fault of a process does to a real agent, and that it is gone afterwards. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessFaultsClusterTest {
  private static final Path DISTRIBUTION = SourceTree.DISTRIBUTION;

  private TestCluster cluster;
  private AgentLines agents;
  private long job;

  @BeforeAll
  void raise() {
    cluster =
        TestCluster.start(
            ClusterSetup.of(DISTRIBUTION)
                .withShape(new ClusterShape(1, 1))
                .withSteppedClocks()
                .withPamOptions("timeout_ms=2000"));
    agents = new AgentLines();
  }

  @AfterAll
  void takeDown() {
    agents.close();
    cluster.close();
  }

  private ClusterNode node1() {
    return cluster.node(NodeAddress.NODE1);
  }

  private Daemon agent() {
    return cluster.agent(NodeAddress.NODE1);
  }

  private Result login() {
    return cluster.node(NodeAddress.LOGIN).exec(User.ALICE, "ssh", "node1", "true");
  }

  private long begin() {
    agents.begin(node1(), ++job, User.ALICE);
    return job;
  }

  /** Alice's jobs are two, and the login node's calls are of none of them: the agent is asked. */
  @Test
  void aLoginThatAsksAHungAgentIsDecidedByTheFiles() {
    long older = begin();
    long newer = begin();
    try (var _ = Hung.of(agent())) {
      assertTrue(ProcessStart.isStopped(agent().pid()));
      Result guessed =
          cluster.node(NodeAddress.LOGIN).exec(User.ALICE, "ssh", "node1", "echo $SLURM_JOB_ID");
      assertEquals(newer + "\n", guessed.outOrThrow("a login at a hung agent"));
    }
    assertFalse(ProcessStart.isStopped(agent().pid()));
    assertTrue(login().ok());
    agents.end(node1(), older);
    agents.end(node1(), newer);
  }

  @Test
  void aKilledAgentIsAnotherProcessAfterwardsWithTheSameJobs() {
    long mine = begin();
    long before = agent().pid();
    try (var _ = Killed.of(agent())) {
      assertFalse(ProcessStart.isAlive(before));
      assertTrue(login().ok(), "whoever has one job needs no agent");
    }
    assertNotEquals(before, agent().pid());
    assertTrue(agents.open(node1()).contains(mine));
    agents.end(node1(), mine);
  }

  @Test
  void aJournalThatCannotBeWrittenRefusesTheJobByName() {
    long mine = begin();
    for (boolean isFull : List.of(true, false)) {
      try (var _ =
          isFull ? FullDisk.of(node1()) : FailingCalls.of(agent(), "fsync,fdatasync", "EIO")) {
        String said = refusedBegins();
        assertTrue(
            said.contains(isFull ? "No space left" : "jobs.journal: sync failed"), () -> said);
        // Sessions need no byte of the disk.
        assertTrue(login().ok(), "a login while the disk takes nothing");
      }
      long next = begin();
      assertEquals(List.of(mine, next), agents.open(node1()));
      agents.end(node1(), next);
    }
    agents.end(node1(), mine);
  }

  /** A journal's line may still fit into the last block; more than a block's do not. */
  private String refusedBegins() {
    return assertThrows(
            RuntimeException.class,
            () -> {
              for (int i = 0; i < 200; i++) {
                agents.end(node1(), begin());
              }
            })
        .toString();
  }

  @Test
  void aSteppedClockIsTheAgentsAlone() {
    try (var _ = ClockStep.of(cluster, node1(), Duration.ofHours(1))) {
      begin();
      Instant began = agents.startedAt(node1(), job);
      assertTrue(began.isAfter(Instant.now().plus(Duration.ofMinutes(55))), began::toString);
      agents.end(node1(), job);
    }
    begin();
    assertTrue(agents.startedAt(node1(), job).isBefore(Instant.now().plusSeconds(60)));
    agents.end(node1(), job);
  }

  @Test
  void aRebootedNodeHasAnotherBootAndNoJobs() {
    long mine = begin();
    String boot = node1().shell(User.ROOT, "cat /proc/sys/kernel/random/boot_id").out();
    try (var _ = Reboot.of(cluster, node1())) {
      assertFalse(agent().isAlive());
    }
    assertNotEquals(boot, node1().shell(User.ROOT, "cat /proc/sys/kernel/random/boot_id").out());
    assertFalse(agents.open(node1()).contains(mine));
    begin();
    assertTrue(login().ok());
    agents.end(node1(), job);
  }
}
