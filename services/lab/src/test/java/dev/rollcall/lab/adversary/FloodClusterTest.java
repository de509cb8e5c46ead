package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users who take as much as they can of what all share. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class FloodClusterTest {
  private static final int LOGINS = Counts.of("logins during each flood", 5, 100);

  /** A gateway whose JVM still compiles costs many times what it costs in the long run. */
  private static final int BEFORE = Counts.of("logins during each flood before", 0, 50);

  private static final int ROUNDS = 5;
  private static final Duration ANNOUNCED_WITHIN = Duration.ofMinutes(2);
  private static final int UNREFUSED = 6;

  private static final String EVER = "2000000000";
  private static final String AGENT = "/run/rollcall/agent.sock";

  /** Ready is a gateway that has sent node1 the network of node2, soon after its start. */
  @BeforeEach
  void ready(Stage stage) {
    stage.awaitConnection();
    try (var bob = Bystander.of(stage)) {
      Eventually.await(
          ANNOUNCED_WITHIN,
          () -> {
            long taken = BoardCounts.of(stage.node2()).taken();
            bob.logsIn(1);
            return BoardCounts.of(stage.node2()).taken() > taken;
          },
          () -> "bob's callers are not announced: " + BoardCounts.said(stage.node1()));
    }
  }

  /** Bob at work meanwhile; the agent and the gateway are the same ones after it. */
  private static void meanwhile(Stage stage, Bystander bob, String attack) {
    long agent = stage.cluster().agent(NodeAddress.NODE1).pid();
    if (BEFORE > 0) {
      bob.logsIn(BEFORE);
    }
    var cost = Cost.from(stage);
    bob.logsIn(LOGINS);
    bob.answersStay();
    cost.print(attack);
    assertTrue(stage.cluster().agent(NodeAddress.NODE1).isAlive(), "node1's agent is gone");
    assertTrue(stage.cluster().gateway().isAlive(), "the gateway is gone");
    assertEquals(agent, stage.cluster().agent(NodeAddress.NODE1).pid());
  }

  /** For comparison: what is printed here is what bob's own logins and the machine cost. */
  @Test
  void nobodyAttacks(Stage stage) {
    try (var bob = Bystander.of(stage)) {
      meanwhile(stage, bob, "no attack");
    }
  }

  @Test
  void port22IsFloodedWithCalls(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1());
        var flood =
            Attack.inJob(
                stage,
                stage.node1(),
                hers.oldest(),
                User.ALICE,
                "connects.py",
                "syn",
                EVER,
                NodeAddress.NODE2.v4(),
                "22")) {
      flood.says("flooding");
      staysAnnounced(stage, bob, "a flood of calls to port 22");
      flood.isAtWork();
    }
  }

  /**
   * The flood is alice's: bob's callers are announced, and none comes late. sshd's full queue drops
   * SYNs: one that was sent three times was announced too early to be believed. Where a machine is
   * too slow for the flood's first moments, this holds for those of a later round.
   */
  private static void staysAnnounced(Stage stage, Bystander bob, String attack) {
    var before = BoardCounts.of(stage.node2());
    meanwhile(stage, bob, attack);
    var after = BoardCounts.of(stage.node2());
    for (int round = 1; round < ROUNDS && after.late() > before.late(); round++) {
      System.out.printf("[counts] %s: %s and then %s%n", attack, before, after);
      before = after;
      bob.logsIn(LOGINS);
      after = BoardCounts.of(stage.node2());
    }
    String counted = said(stage, before, after);
    assertTrue(after.announced() - before.announced() >= LOGINS, counted);
    assertEquals(before.late(), after.late(), counted);
  }

  private static String said(Stage stage, BoardCounts before, BoardCounts after) {
    return "%s and then %s%s%s"
        .formatted(before, after, BoardCounts.said(stage.node1()), BoardCounts.said(stage.node2()));
  }

  /** Nobody is there: only Rollcall has work with these. */
  @Test
  void port22OfNobodyIsFlooded(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1());
        var flood =
            Attack.inJob(
                stage,
                stage.node1(),
                hers.oldest(),
                User.ALICE,
                "connects.py",
                "syn",
                EVER,
                "10.77.0.99",
                "22")) {
      flood.says("flooding");
      staysAnnounced(stage, bob, "a flood of calls to port 22 of nobody");
      flood.isAtWork();
    }
  }

  @Test
  void agentSockIsFloodedWithQuestions(Stage stage) {
    try (var bob = Bystander.of(stage);
        var flood = Attack.outside(stage.node1(), User.ALICE, "asks.py", AGENT, "4")) {
      flood.says("asking");
      meanwhile(stage, bob, "a flood of questions at agent.sock");
      flood.isAtWork();
    }
  }

  @Test
  void agentSockIsCrowdedWithConnections(Stage stage) {
    try (var bob = Bystander.of(stage);
        var crowd =
            Attack.outside(stage.node1(), User.ALICE, "crowd.py", AGENT, "15000", "silent")) {
      crowd.says("crowded");
      meanwhile(stage, bob, "a crowd of connections to agent.sock");
      crowd.isAtWork();
    }
  }

  /**
   * As many connections as a user may have: enough to have logins refused, when both shared a
   * thread.
   */
  @Test
  void agentSockIsFloodedWithRequestsThatAreRefused(Stage stage) {
    try (var bob = Bystander.of(stage);
        var flood =
            Attack.outside(stage.node2(), User.ALICE, "frames.py", AGENT, "60", "refused")) {
      flood.says("flooding");
      nobodyIsRefused(stage, bob);
      flood.isAtWork();
    }
  }

  /** Three users begin frames of 3 MiB in all, again and again. */
  @Test
  void agentSockIsFilledWithFramesThatDoNotEnd(Stage stage) {
    try (var bob = Bystander.of(stage);
        var attack =
            Attack.outside(
                stage.node2(),
                User.ROOT,
                "unfinished.py",
                AGENT,
                "64",
                "16384",
                "4001",
                "4002",
                "4003")) {
      attack.says("holding");
      nobodyIsRefused(stage, bob);
      bob.answersStay();
      attack.isAtWork();
    }
  }

  @Test
  void metricsOnLoopbackAreFloodedWithRequests(Stage stage) {
    try (var bob = Bystander.of(stage);
        var flood =
            Attack.outside(
                stage.node2(), User.ALICE, "frames.py", "127.0.0.1:7451", "100", "pages")) {
      flood.says("flooding");
      nobodyIsRefused(stage, bob);
      flood.isAtWork();
    }
  }

  /**
   * All logins are let in at their first try. A machine that has too much else to do may refuse
   * some: then those of a later round.
   */
  private static void nobodyIsRefused(Stage stage, Bystander bob) {
    long letIn = 0;
    for (int round = 0; round < ROUNDS && letIn < UNREFUSED; round++) {
      letIn = bob.letInAtOnce(UNREFUSED);
      System.out.printf("[counts] %d of %d logins were let in at once%n", letIn, UNREFUSED);
    }
    assertEquals(UNREFUSED, letIn, stage.cluster()::logs);
    assertTrue(stage.cluster().agent(NodeAddress.NODE2).isAlive(), "node2's agent is gone");
  }

  /** An entry that fell out is not known any more; another's must never stand in its place. */
  @Test
  void theCallTableOverflows(Stage stage) {
    String nobody = "10.77.0.91,10.77.0.92,10.77.0.93,10.77.0.94,10.77.0.95";
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1());
        var flood =
            Attack.inJob(
                stage,
                stage.node1(),
                hers.oldest(),
                User.ALICE,
                "connects.py",
                "syn",
                "100000",
                nobody,
                "9")) {
      flood.says("done");
      String answer = Answers.of(stage, stage.node1(), bob.session().connection());
      assertTrue(
          Set.of("job " + bob.jobs().oldest() + " of uid 2002", "unknown").contains(answer),
          answer);
      bob.logsIn(LOGINS);
    }
  }

  @Test
  void allCoresAndMemoryAreTaken(Stage stage) {
    int processes = 2 * Runtime.getRuntime().availableProcessors();
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1(), stage.node2());
        var here = spin(stage, stage.node1(), hers.oldest(), processes);
        var there = spin(stage, stage.node2(), hers.oldest(), processes)) {
      here.says("spinning");
      there.says("spinning");
      meanwhile(stage, bob, "all cores taken twice, and 1 GiB");
      here.isAtWork();
      there.isAtWork();
    }
  }

  private static Attack spin(Stage stage, ClusterNode node, long job, int processes) {
    return Attack.inJob(
        stage, node, job, User.ALICE, "spin.py", Integer.toString(processes), "512");
  }

  @Test
  void aJobForksAndConnectsWithoutEnd(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1());
        var forks =
            Attack.inJob(
                stage,
                stage.node1(),
                hers.oldest(),
                User.ALICE,
                "forks.py",
                "200",
                NodeAddress.NODE2.v4(),
                "22")) {
      forks.says("forking");
      meanwhile(stage, bob, "a job that forks and connects endlessly");
      forks.isAtWork();
      // All of it, though it forks while it is killed: an end that is not clean throws.
      assertTrue(stage.agents().end(stage.node1(), hers.oldest()) > 0);
    }
  }
}
