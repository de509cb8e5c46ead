package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.InJob;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.fault.ClockStep;
import dev.rollcall.lab.fault.Hung;
import dev.rollcall.lab.fault.InjectedFault;
import dev.rollcall.lab.fault.Killed;
import dev.rollcall.lab.fault.Packets;
import dev.rollcall.lab.fault.Reboot;
import dev.rollcall.lab.soak.RollView;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeState;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Three gateways, three nodes, and what befalls them: what docs/reliability.md promises. */
@Tag("cluster")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GridFaultsClusterTest {
  private static final Path DISTRIBUTION = SourceTree.DISTRIBUTION;
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /** A gateway that hangs and is not used is noticed within two minutes of its last ping. */
  private static final Duration SOON = Patience.ofSeconds(180);

  private TestCluster cluster;
  private AgentLines agents;
  private Stage stage;

  @BeforeAll
  void raise() {
    cluster =
        TestCluster.start(
            ClusterSetup.of(DISTRIBUTION)
                .withShape(new ClusterShape(3, 3))
                .withSteppedClocks()
                // A test waits for the loss of a node.
                .withGatewayConfig("lease_seconds: 15")
                .withPamOptions("action_unknown=deny", "timeout_ms=3000"));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
  }

  @AfterAll
  void takeDown() {
    agents.close();
    cluster.close();
  }

  @AfterEach
  void allIsWellAgain() {
    rollAgrees("after the test");
  }

  private ClusterNode gate(int number) {
    return cluster.node(NodeAddress.gate(number));
  }

  private OpenJobs twoJobs() {
    return stage.begin(2, User.ALICE, stage.node1(), stage.node2());
  }

  /** Waits until the roll says what the nodes say, and prints how long it took. */
  private void rollAgrees(String when) {
    var view = new RollView(cluster, agents);
    long from = System.nanoTime();
    Eventually.await(
        SOON,
        () -> view.differences().isEmpty(),
        () -> when + ": " + view.differences() + "\n" + cluster.logs());
    System.out.printf(
        "%s the roll agrees in %d ms%n", when, (System.nanoTime() - from) / 1_000_000);
  }

  private void everySessionIsInItsJob(OpenJobs jobs, int sessions) {
    assertEquals(
        Map.of("job " + jobs.oldest(), (long) sessions),
        Storm.from(stage, jobs.oldest(), sessions).arrivals(DEADLINE));
  }

  /** Between the parts of a grid nobody is told of a call: such a session is refused here. */
  private void noSessionIsInAnotherJob(OpenJobs jobs, int sessions) {
    var places = Storm.withoutPatience(stage, jobs.oldest(), sessions).arrivals(DEADLINE).keySet();
    assertTrue(Set.of("job " + jobs.oldest()).containsAll(places), places::toString);
  }

  private Node inRoll(NodeAddress node) {
    return agents.nodes(cluster.node(NodeAddress.LOGIN)).stream()
        .filter(one -> one.getNode().equals(node.name()))
        .findFirst()
        .orElseThrow();
  }

  /** The gateway to which node2 is connected. */
  private ClusterNode connected() {
    String address = inRoll(NodeAddress.NODE2).getGateway();
    return cluster.gates().stream()
        .filter(gate -> address.equals(cluster.endpoint(gate)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(address));
  }

  @Test
  void aGatewayThatIsKilledHungOrCutOffCostsNoSessionAndNoJob() {
    List<Function<ClusterNode, InjectedFault>> faults =
        List.of(
            gate -> Killed.of(cluster.daemon(gate.address())),
            gate -> Hung.of(cluster.daemon(gate.address())),
            Packets::allOf);
    for (Function<ClusterNode, InjectedFault> fault : faults) {
      try (var jobs = twoJobs()) {
        rollAgrees("before a gateway's fault");
        try (var _ = fault.apply(connected())) {
          everySessionIsInItsJob(jobs, 8);
          rollAgrees("with two of three gateways");
        }
        everySessionIsInItsJob(jobs, 4);
      }
      rollAgrees("with the third gateway again");
    }
  }

  @Test
  void withoutAnyGatewayNodesDecideByTheirOwnFactsAndTellThemAfterwards() {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      List<InjectedFault> faults = new ArrayList<>();
      cluster.gateways().forEach(gateway -> faults.add(Killed.of(gateway)));
      everySessionIsInItsJob(jobs, 8);
      OpenJobs begun = stage.begin(1, User.BOB, stage.node2(), stage.node3());
      agents.end(stage.node1(), jobs.oldest());
      faults.forEach(InjectedFault::close);
      rollAgrees("after all gateways were gone");
      begun.close();
    }
  }

  @Test
  void anUpgradeOneByOneUnderLoadLosesNoLogin() {
    int sessions = Counts.of("sessions during a rolling upgrade", 40, 400);
    try (var jobs = twoJobs()) {
      var storm = Storm.from(stage, jobs.oldest(), sessions);
      List<Daemon> all = new ArrayList<>(cluster.gateways());
      all.addAll(cluster.agents());
      for (Daemon daemon : all) {
        daemon.stop();
        daemon.start();
        daemon.awaitReady();
      }
      assertEquals(Map.of("job " + jobs.oldest(), (long) sessions), storm.arrivals(DEADLINE));
      rollAgrees("after the upgrade");
      for (ClusterNode node : jobs.nodes()) {
        assertTrue(agents.open(node).containsAll(jobs.ids()), node.name());
      }
    }
  }

  @Test
  void afterARebootTheJobsOfTheBootBeforeAreGoneFromTheRoll() {
    OpenJobs before = stage.begin(2, User.ALICE, stage.node2());
    rollAgrees("before the reboot");
    String boot = inRoll(NodeAddress.NODE2).getBootId();
    try (var _ = Reboot.of(cluster, stage.node2())) {
      // Down: the roll keeps what it heard last.
    }
    rollAgrees("after the reboot");
    assertNotEquals(boot, inRoll(NodeAddress.NODE2).getBootId());
    assertTrue(
        agents.roll(stage.node1()).stream()
            .noneMatch(job -> before.ids().contains(job.getJobId())));
  }

  @Test
  void aJobStaysOnItsNodeWhenAnotherNodeOfTheJobFails() {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      long job = jobs.oldest();
      InJob step = stage.startInJob(stage.node1(), job, User.ALICE, "sleep", "600");
      try (var _ = Killed.of(cluster.agent(NodeAddress.NODE2));
          var _ = Packets.allOf(stage.node2())) {
        Eventually.await(SOON, () -> isLost(NodeAddress.NODE2), () -> "node2 is not lost");
        assertTrue(agents.open(stage.node1()).contains(job), cluster::logs);
        assertTrue(step.isAlive(), cluster::logs);
        var login =
            cluster
                .node(NodeAddress.LOGIN)
                .exec(User.ALICE, "ssh", "node1", "cat /proc/self/cgroup");
        assertEquals("job " + job, Storm.place(stage.node1().below(login.out())), cluster::logs);
      }
      assertTrue(step.isAlive(), cluster::logs);
      step.kill();
    }
  }

  @Test
  void aGridThatWasSplitIsOneAgainAndSaysWhatTheNodesSay() {
    try (var stays = twoJobs()) {
      OpenJobs ends = stage.begin(1, User.BOB, stage.node1(), stage.node2(), stage.node3());
      rollAgrees("before the split");
      OpenJobs begun;
      try (var _ = Packets.betweenMembers(List.of(gate(1)), List.of(gate(2), gate(3)))) {
        for (int number = 1; number <= 3; number++) {
          int others = number == 1 ? 1 : 2;
          ClusterNode gate = gate(number);
          Eventually.await(
              SOON, () -> membersOf(gate) == others, () -> gate.name() + " sees no split");
        }
        // Told to one part, or to the other: each part has news that the other does not have.
        begun = stage.begin(1, User.CAROL, stage.node1(), stage.node2(), stage.node3());
        ends.close();
        noSessionIsInAnotherJob(stays, 4);
      }
      for (int number = 1; number <= 3; number++) {
        ClusterNode gate = gate(number);
        Eventually.await(SOON, () -> membersOf(gate) == 3, () -> gate.name() + " stays apart");
      }
      rollAgrees("after the merge");
      begun.close();
    }
  }

  private static long membersOf(ClusterNode gate) {
    return metric(gate, "rollcall_gateway_grid_members");
  }

  private static long metric(ClusterNode gate, String name) {
    return gate.shell(User.ROOT, "curl -s -m 5 http://127.0.0.1:7453/metrics")
        .out()
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }

  private long lostNodes() {
    return cluster.gates().stream()
        .mapToLong(gate -> metric(gate, "rollcall_gateway_nodes_lost_total"))
        .sum();
  }

  @Test
  void aWallClockThatIsAnHourOffLosesNoNodeAndKeepsNoneThatIsGone() {
    try (var jobs = twoJobs()) {
      long lost = lostNodes();
      for (int hours : new int[] {1, -1}) {
        for (ClusterNode node : List.of(gate(1), gate(2), stage.node1(), stage.node2())) {
          try (var _ = ClockStep.of(cluster, node, Duration.ofHours(hours))) {
            everySessionIsInItsJob(jobs, 2);
            rollAgrees("with the clock of " + node.name() + " off by " + hours + " h");
          }
        }
      }
      assertEquals(lost, lostNodes(), cluster::logs);
    }
    rollAgrees("with every clock right");
    aNodeThatIsGoneIsLost();
  }

  /** With every gateway's clock an hour back: by that, its lease would end in an hour. */
  private void aNodeThatIsGoneIsLost() {
    List<InjectedFault> faults = new ArrayList<>();
    for (ClusterNode gate : cluster.gates()) {
      faults.add(ClockStep.of(cluster, gate, Duration.ofHours(-1)));
    }
    faults.add(Killed.of(cluster.agent(NodeAddress.NODE3)));
    try {
      Eventually.await(
          SOON,
          () -> isLost(NodeAddress.NODE3),
          () -> "node3 is not lost: " + inRoll(NodeAddress.NODE3));
    } finally {
      // The clocks first: by theirs the certificates of this cluster are not valid yet.
      faults.forEach(InjectedFault::close);
    }
  }

  private boolean isLost(NodeAddress node) {
    try {
      return inRoll(node).getState() == NodeState.NODE_STATE_LOST;
    } catch (RuntimeException e) {
      return false; // the grid takes a moment to take the step
    }
  }
}
