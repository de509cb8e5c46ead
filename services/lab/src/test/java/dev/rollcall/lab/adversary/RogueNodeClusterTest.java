package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import dev.rollcall.lab.scenario.Storm;
import dev.rollcall.model.Connection;
import dev.rollcall.testkit.process.Eventually;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever has root on node3, in place of its agent. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class RogueNodeClusterTest {
  private static final String CLUSTER = "demo";
  private static final NodeAddress ROGUE = NodeAddress.NODE3;
  private static final NodeAddress TARGET = NodeAddress.NODE2;

  /** The lease is 60 s by default. */
  private static final Duration LEASE_AND_MORE = Duration.ofMinutes(2);

  private static long lastEpoch;
  private static Optional<Bystander> bystander = Optional.empty();

  private long epoch;

  @BeforeAll
  static void withoutItsAgent(Stage stage) {
    stage.awaitConnection();
    stage.cluster().agent(ROGUE).kill();
    bystander = Optional.of(Bystander.of(stage));
  }

  /** One for all attacks: his call stands through all of them. */
  private static Bystander bob() {
    return bystander.orElseThrow();
  }

  /** Later than that of the agent, and than those of earlier tests. */
  @BeforeEach
  void inARunOfItsOwn() {
    lastEpoch = Math.max(lastEpoch + 1, Instant.now().getEpochSecond());
    epoch = lastEpoch;
  }

  @AfterAll
  static void end(Stage stage) {
    bystander.ifPresent(Bystander::close);
    withItsAgent(stage);
  }

  /** In a run that is later than the rogue's: an agent's number is the second of its start. */
  private static void withItsAgent(Stage stage) {
    Eventually.await(
        Attack.DEADLINE,
        () -> Instant.now().getEpochSecond() > lastEpoch,
        () -> "the clock stands before " + lastEpoch);
    Daemon agent = stage.cluster().agent(ROGUE);
    agent.start();
    agent.awaitReady();
    agent.awaitConnected();
  }

  private static RogueNode rogue(Stage stage) {
    ClusterNode node = stage.cluster().node(ROGUE);
    return RogueNode.at(stage, node, RogueNode.tls(stage, node));
  }

  private static Connection call(NodeAddress from, int port) {
    return Answers.connection("%s %d %s 22".formatted(from.v4(), port, TARGET.v4()));
  }

  /** Waits until all that was said on the stream before is in the roll. */
  private void heardAll(Stage stage, RogueNode rogue, int port) {
    Connection last = call(ROGUE, port);
    rogue.announce(CLUSTER, ROGUE.name(), last, 999, 2001, epoch, 1_000 + port);
    Eventually.await(
        Attack.DEADLINE,
        () -> Answers.of(stage, stage.node2(), last).equals("job 999 of uid 2001"),
        () -> "what node3 says of its own calls is not heard");
  }

  @Test
  void anAgentThatClaimsAnotherNodesNameIsRefused(Stage stage) {
    try (var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, "node1", epoch, NodeAddress.NODE1.v4());
      assertEquals(Status.Code.PERMISSION_DENIED, rogue.end().getCode(), rogue.end().toString());
      bob().noticesNothing();
    }
  }

  @Test
  void anAgentThatClaimsAnotherNodesAddressIsNotBelievedAboutIt(Stage stage) throws Exception {
    try (var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4(), NodeAddress.NODE1.v4()).welcomed();
      bob().noticesNothing();
      Connection foreign = call(NodeAddress.NODE1, 45_021);
      rogue.announce(CLUSTER, ROGUE.name(), foreign, 7, 2002, epoch, 1);
      heardAll(stage, rogue, 45_022);
      assertEquals("unknown", Answers.of(stage, stage.node2(), foreign));
      bob().noticesNothing();
    }
  }

  /** Of a network in which reports are accepted, and of a certificate. */
  @Test
  void anAgentThatReportsOthersAddressesGetsNoneOfThem(Stage stage) throws Exception {
    String fabric = NodeAddress.NODE1.v4Fabric();
    Connection reported = Answers.connection("%s 45029 %s 22".formatted(fabric, TARGET.v4Fabric()));
    Connection listed =
        Answers.connection("%s 45030 %s 22".formatted(TARGET.v4(), NodeAddress.NODE1.v4()));
    try (var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4(), fabric, TARGET.v4()).welcomed();
      rogue.announce(CLUSTER, ROGUE.name(), reported, 7, 2002, epoch, 1);
      rogue.announce(CLUSTER, ROGUE.name(), listed, 7, 2002, epoch, 2);
      heardAll(stage, rogue, 45_031);
      assertEquals("unknown", Answers.of(stage, stage.node2(), reported));
      assertEquals("unknown", Answers.of(stage, stage.node1(), listed));
      bob().noticesNothing();
    }
    try (var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4()).welcomed();
      String place =
          stage
              .startInJob(
                  stage.node1(),
                  bob().jobs().oldest(),
                  User.BOB,
                  "ssh",
                  TARGET.nameFabric(),
                  "grep ^0:: /proc/self/cgroup")
              .await(Attack.DEADLINE)
              .outOrThrow("ssh by the second network")
              .strip();
      assertEquals("job " + bob().jobs().oldest(), Storm.place(stage.node2().below(place)));
    }
  }

  @Test
  void aForgedCallOfAnotherNodesProcessIsNotTaken(Stage stage) throws Exception {
    try (var hers = stage.begin(2, User.ALICE, stage.node2());
        var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4()).welcomed();
      // In node1's name; in another cluster's; and over the very call by which bob is in.
      rogue.announce(CLUSTER, "node1", call(ROGUE, 45_023), hers.newest(), 2001, epoch, 1);
      rogue.announce("other", ROGUE.name(), call(ROGUE, 45_024), hers.newest(), 2001, epoch, 2);
      rogue.announce(
          CLUSTER,
          ROGUE.name(),
          bob().session().connection(),
          bob().jobs().newest(),
          2002,
          epoch,
          3);
      heardAll(stage, rogue, 45_025);
      for (int port : new int[] {45_023, 45_024}) {
        String answer = Answers.of(stage, stage.node2(), call(ROGUE, port));
        assertTrue(answer.startsWith("un"), answer); // unknown, or its node does not answer
      }
      bob().noticesNothing();
    }
  }

  @Test
  void aReplayedAnnouncementDoesNotReplaceALaterOne(Stage stage) throws Exception {
    ClusterNode node = stage.cluster().node(ROGUE);
    Attack.install(node, "call.py");
    try (var hers = stage.begin(2, User.ALICE, stage.node2());
        var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4()).welcomed();
      Connection call = call(ROGUE, 45_026);
      rogue.announce(CLUSTER, ROGUE.name(), call, hers.oldest(), 2001, epoch, 5);
      // The same number again, an earlier one, and one of an earlier epoch.
      rogue.announce(CLUSTER, ROGUE.name(), call, hers.newest(), 2001, epoch, 5);
      rogue.announce(CLUSTER, ROGUE.name(), call, hers.newest(), 2001, epoch, 4);
      rogue.announce(CLUSTER, ROGUE.name(), call, hers.newest(), 2001, epoch - 9, 77);
      String place =
          node.exec(
                  User.ALICE,
                  "ssh",
                  "-o",
                  "ProxyCommand=python3 /run/call.py relay - 45026 " + TARGET.v4() + " 22",
                  "-o",
                  "StrictHostKeyChecking=no",
                  "node2",
                  "grep ^0:: /proc/self/cgroup")
              .outOrThrow("ssh from node3")
              .strip();
      assertEquals("job " + hers.oldest(), Storm.place(stage.node2().below(place)));
    }
  }

  @Test
  void whatARogueNodeSaidExpiresWhenItsAgentIsBack(Stage stage) throws Exception {
    Connection forged = call(ROGUE, 45_027);
    try (var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4()).welcomed();
      rogue.announce(CLUSTER, ROGUE.name(), forged, 7, 2001, epoch, 1);
      heardAll(stage, rogue, 45_028);
      assertEquals("job 7 of uid 2001", Answers.of(stage, stage.node2(), forged));
      withItsAgent(stage);
      Eventually.await(
          LEASE_AND_MORE,
          () -> Answers.of(stage, stage.node2(), forged).equals("unknown"),
          () -> "the forged call stays: " + Answers.of(stage, stage.node2(), forged));
      assertEquals(Status.Code.ABORTED, rogue.end().getCode(), rogue.end().toString());
      try (var again = rogue(stage)) {
        again.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4());
        assertEquals(Status.Code.ABORTED, again.end().getCode(), again.end().toString());
      }
    } finally {
      stage.cluster().agent(ROGUE).kill();
    }
  }

  /** It holds its stream, and says no more. */
  @Test
  void whatARogueNodeSaidExpiresByTimeAlone(Stage stage) throws Exception {
    Connection forged = call(ROGUE, 45_029);
    try (var rogue = rogue(stage)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4()).welcomed();
      rogue.announce(CLUSTER, ROGUE.name(), forged, 7, 2001, epoch, 1);
      heardAll(stage, rogue, 45_030);
      assertEquals("job 7 of uid 2001", Answers.of(stage, stage.node2(), forged));
      Eventually.await(
          LEASE_AND_MORE,
          () -> Answers.of(stage, stage.node2(), forged).equals("unknown"),
          () -> "the forged call stays: " + Answers.of(stage, stage.node2(), forged));
    }
  }

  /** The site's authority may serve several clusters: the name in the certificate counts. */
  @Test
  void aCertificateOfAnotherClusterIsRefusedThoughTheAuthorityIsOurs(Stage stage) {
    Path foreign = stage.cluster().certificateIn("other", ROGUE);
    try (var rogue = RogueNode.at(stage, stage.cluster().node(ROGUE), foreign)) {
      rogue.hello(CLUSTER, ROGUE.name(), epoch, ROGUE.v4());
      assertEquals(Status.Code.PERMISSION_DENIED, rogue.end().getCode(), rogue.end().toString());
      assertTrue(
          String.valueOf(rogue.end().getDescription()).contains("it is for cluster 'other'"),
          rogue.end().toString());
      bob().noticesNothing();
    }
  }

  @Test
  void anAgentOfAnotherClusterIsRefusedByName(Stage stage) {
    try (var rogue = rogue(stage)) {
      rogue.hello("other", ROGUE.name(), epoch, ROGUE.v4());
      assertEquals(Status.Code.FAILED_PRECONDITION, rogue.end().getCode());
      assertTrue(String.valueOf(rogue.end().getDescription()).contains("'other'"));
      bob().noticesNothing();
    }
  }
}
