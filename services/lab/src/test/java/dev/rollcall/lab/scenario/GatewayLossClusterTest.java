package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.rollcall.lab.fault.Hung;
import dev.rollcall.lab.fault.InjectedFault;
import dev.rollcall.lab.fault.Killed;
import dev.rollcall.lab.fault.Packets;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The caller of an open connection is looked up while the gateway of the caller's node fails and
 * the other one stays. It prints how long it is not known; docs/reliability.md has that.
 */
@Tag("cluster")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayLossClusterTest {
  private static final Duration LOOK_UP_EVERY = Duration.ofMillis(20);

  /** A gateway that hangs and is not used is noticed within two minutes of its last ping. */
  private static final Duration SOON = Patience.ofSeconds(180);

  /** Longer than a gateway gives the cluster of gateways to answer before it ends. */
  private static final Duration GRID = Duration.ofSeconds(70);

  /** Keeps a connection to node2 open, and prints its own port. */
  private static final String CALL =
      "exec 3<>/dev/tcp/%s/22; ss -tnH dst %1$s:22 | sed 's/.*:\\([0-9]*\\) .*:22.*/port \\1/';"
          + " sleep 600";

  private TestCluster cluster;
  private AgentLines agents;
  private Stage stage;

  @BeforeAll
  void raise() {
    cluster =
        TestCluster.start(
            ClusterSetup.of(SourceTree.DISTRIBUTION).withShape(new ClusterShape(2, 2)));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
  }

  @AfterAll
  void takeDown() {
    agents.close();
    cluster.close();
  }

  /** The gateway to which node1 is connected. */
  private Daemon connected() {
    String address =
        agents.nodes(stage.node1()).stream()
            .filter(one -> one.getNode().equals(NodeAddress.NODE1.name()))
            .findFirst()
            .orElseThrow()
            .getGateway();
    return cluster.gates().stream()
        .filter(gate -> address.equals(cluster.endpoint(gate)))
        .map(gate -> cluster.daemon(gate.address()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(address));
  }

  private void lookedUpDuring(String name, Function<Daemon, InjectedFault> fault, Duration least) {
    try (OpenJobs jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      stage.awaitConnection();
      InJob call =
          stage.startInJob(
              stage.node1(),
              jobs.oldest(),
              User.ALICE,
              "bash",
              "-c",
              CALL.formatted(NodeAddress.NODE2.v4()));
      String port = call.awaitLine("port ", SOON).replaceAll("(?s).*port (\\d+).*", "$1");
      Connection connection =
          Connection.tcp(
              Endpoint.parse(NodeAddress.NODE1.v4() + ":" + port),
              Endpoint.parse(NodeAddress.NODE2.v4() + ":22"));
      Eventually.await(SOON, () -> known(connection, jobs.oldest()), cluster::logs);
      Daemon fails = connected();
      Daemon stays =
          cluster.gateways().stream()
              .filter(other -> !other.equals(fails))
              .findFirst()
              .orElseThrow();
      long pid = stays.pid();
      long from = System.nanoTime();
      try (var _ = fault.apply(fails)) {
        long applied = System.nanoTime();
        long unknown = applied;
        while (System.nanoTime() - applied < least.toNanos() || !known(connection, jobs.oldest())) {
          if (!known(connection, jobs.oldest())) {
            unknown = System.nanoTime();
          }
          assertTrue(System.nanoTime() - applied < SOON.toNanos(), cluster::logs);
          LockSupport.parkNanos(LOOK_UP_EVERY.toNanos());
        }
        System.out.printf(
            "%s (%d ms): last not known after %d ms%n",
            name, (applied - from) / 1_000_000, (unknown - applied) / 1_000_000);
        assertEquals(pid, stays.pid());
        assertTrue(stays.isAlive(), cluster::logs);
      }
      call.kill();
    }
  }

  /** Fails if another job is named. */
  private boolean known(Connection connection, long job) {
    CallerAnswer answer = agents.identify(stage.node2(), connection);
    if (answer.hasFound()) {
      assertEquals(job, answer.getFound().getJob().getJobId(), answer::toString);
    }
    return answer.hasFound();
  }

  @Test
  void aCallerIsKnownAgainWhenItsNodeHasConnectedElsewhere() {
    for (int round = 0; round < 4; round++) {
      lookedUpDuring("kill -9", Killed::of, Duration.ofSeconds(5));
    }
  }

  /** The gateway that stays does not end because its peer does not answer. */
  @Test
  void aCallerIsKnownAgainBesideAGatewayThatHangs() {
    lookedUpDuring("SIGSTOP", Hung::of, GRID);
  }

  @Test
  void aCallerIsKnownAgainBesideAGatewayThatIsCutOff() {
    lookedUpDuring("cut", gate -> Packets.allOf(node(gate)), GRID);
  }

  private ClusterNode node(Daemon gateway) {
    return cluster.gates().stream()
        .filter(gate -> cluster.daemon(gate.address()).equals(gateway))
        .findFirst()
        .orElseThrow();
  }
}
