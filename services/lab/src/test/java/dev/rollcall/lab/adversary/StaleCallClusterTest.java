package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.fault.Hung;
import dev.rollcall.lab.fault.InjectedFault;
import dev.rollcall.lab.fault.Packets;
import dev.rollcall.lab.scenario.Storm;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A port of node1 is used again by another job while node1's stream is broken: the earlier job is
 * neither named nor entered once that is noticed.
 */
@Tag("cluster")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StaleCallClusterTest {
  /** A gateway that hangs is noticed within two minutes by a node that does not use it. */
  private static final Duration NOTICED = Patience.ofSeconds(180);

  private static final String FAR = NodeAddress.NODE2.v4();
  private static final int LOOKS = 40;

  private TestCluster cluster;
  private AgentLines agents;
  private Stage stage;

  @BeforeAll
  void raise() {
    cluster =
        TestCluster.start(
            ClusterSetup.of(SourceTree.DISTRIBUTION)
                .withShape(new ClusterShape(2, 3))
                .withPamOptions("action_unknown=deny", "timeout_ms=3000"));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
    stage.awaitConnection();
    Attack.install(stage.node1(), "call.py");
  }

  @AfterAll
  void takeDown() {
    agents.close();
    cluster.close();
  }

  @Test
  void aStreamThatIsCutNamesNoEarlierJob() {
    play(30_001, () -> Packets.between(List.of(stage.node1()), cluster.gates()));
  }

  @Test
  void aGatewayThatStoodStillNamesNoEarlierJob() {
    play(30_003, () -> Hung.of(cluster.daemon(gatewayOfNode1().address())));
  }

  /**
   * @param port the first of two: for a lookup and for a login
   */
  @SuppressWarnings("try") // the fault ends in the middle
  private void play(int port, Supplier<InjectedFault> fault) {
    try (var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      for (int each : new int[] {port, port + 1}) {
        try (var earlier = call(hers.newest(), "abort", each)) {
          earlier.says("aborted");
        }
        Eventually.await(
            NOTICED, () -> isNamed(hers.newest(), each), () -> "not announced: " + each);
      }
      try (var broken = fault.get();
          var now = call(hers.oldest(), "hold", port)) {
        now.says("call ");
        Eventually.await(
            NOTICED, () -> !isNamed(hers.newest(), port), () -> "the earlier job is still named");
        looks(hers, port);
        enters(hers, port + 1);
        Eventually.await(
            NOTICED,
            () -> {
              broken.close();
              return isNamed(hers.oldest(), port);
            },
            () -> "the job is not named: " + answer(port));
        looks(hers, port);
      }
      enters(hers, port + 1);
    }
  }

  private void looks(OpenJobs hers, int port) {
    for (int i = 0; i < LOOKS; i++) {
      assertNotEquals(job(hers.newest()), answer(port));
    }
  }

  /** A refusal is right where the caller cannot be had. */
  private void enters(OpenJobs hers, int port) {
    Result ssh =
        Attack.sshInJob(
            stage,
            stage.node1(),
            hers.oldest(),
            User.ALICE,
            "-o",
            "ProxyCommand=python3 /run/call.py relay - %d %s 22".formatted(port, FAR),
            "node2",
            "grep ^0:: /proc/self/cgroup");
    String place =
        ssh.ok()
            ? Storm.place(stage.node2().below(ssh.out().lines().findFirst().orElse("")))
            : "refused: " + ssh.err().strip();
    System.out.println("login from port " + port + ": " + place);
    assertNotEquals("job " + hers.newest(), place);
  }

  private boolean isNamed(long job, int port) {
    return answer(port).equals(job(job));
  }

  private static String job(long job) {
    return "job " + job + " of uid 2001";
  }

  private String answer(int port) {
    var call =
        Connection.tcp(
            new Endpoint(InetAddress.ofLiteral(NodeAddress.NODE1.v4()), port),
            new Endpoint(InetAddress.ofLiteral(FAR), 22));
    return Answers.of(stage, stage.node2(), call);
  }

  private Attack call(long job, String mode, int port) {
    return Attack.inJob(
        stage,
        stage.node1(),
        job,
        User.ALICE,
        "call.py",
        mode,
        "-",
        Integer.toString(port),
        FAR,
        "22");
  }

  private ClusterNode gatewayOfNode1() {
    String address =
        agents.nodes(cluster.node(NodeAddress.LOGIN)).stream()
            .filter(one -> one.getNode().equals("node1"))
            .findFirst()
            .orElseThrow()
            .getGateway();
    return cluster.gates().stream()
        .filter(gate -> address.equals(cluster.endpoint(gate)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(address));
  }
}
