package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import dev.rollcall.lab.scenario.Storm;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.testkit.process.Result;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls that look like other calls: the same addresses, the same ports. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class ForgedCallsClusterTest {
  private static final String WHERE = "grep ^0:: /proc/self/cgroup";
  private static final int TRIES = 5;

  @BeforeEach
  void ready(Stage stage) {
    stage.awaitConnection();
    for (ClusterNode node : List.of(stage.node1(), stage.node2())) {
      Attack.install(node, "call.py");
    }
  }

  @Test
  void aNamespaceWithClusterAddressesForgesEverySourcePort(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var forger =
            Attack.inOwnNetwork(
                stage,
                stage.node1(),
                hers.newest(),
                User.ALICE,
                "forge.py",
                NodeAddress.NODE1.v4(),
                NodeAddress.NODE2.v4())) {
      forger.says("forged");
      for (int port : new int[] {65336, 65400, 65535}) {
        var forged =
            Connection.tcp(
                new Endpoint(InetAddress.ofLiteral(NodeAddress.NODE1.v4()), port),
                new Endpoint(InetAddress.ofLiteral(NodeAddress.NODE2.v4()), 22));
        assertEquals("unknown", Answers.of(stage, stage.node1(), forged));
        assertEquals("unknown", Answers.of(stage, stage.node2(), forged));
      }
      // If what she forged from her newer job counted, it would name that job.
      assertEquals(
          Map.of("job " + hers.oldest(), 3L),
          Storm.from(stage, User.ALICE, hers.oldest(), 3).arrivals(Attack.DEADLINE));
      bob.noticesNothing();
      forger.isAtWork();
    }
  }

  /**
   * ssh from a step, through a process of that step that calls from a port of its choice. Where the
   * gateway is too busy to answer the agent in time, the site's rule decides: then once more.
   */
  private static String login(
      Stage stage, ClusterNode from, long job, User user, String... callWords) {
    Result ssh = ssh(stage, from, job, user, callWords);
    for (int i = 1; i < TRIES && ssh.out().contains("did not answer within"); i++) {
      ssh = ssh(stage, from, job, user, callWords);
    }
    return ssh.ok()
        ? Storm.place(
            target(stage, from, callWords[2]).below(ssh.out().lines().findFirst().orElse("")))
        : "refused: " + ssh.err().strip();
  }

  private static Result ssh(
      Stage stage, ClusterNode from, long job, User user, String... callWords) {
    return Attack.sshInJob(
        stage,
        from,
        job,
        user,
        "-o",
        "ProxyCommand=python3 /run/call.py relay " + String.join(" ", callWords),
        target(stage, from, callWords[2]).name(),
        WHERE + "; echo $ROLLCALL_DOUBT");
  }

  /** Whom an address reaches: a link-local one in the caller's rack. */
  private static ClusterNode target(Stage stage, ClusterNode from, String to) {
    if (to.startsWith("127.")) {
      return from;
    }
    return to.startsWith("fe80:") ? stage.node3() : stage.node2();
  }

  @Test
  void anAnnouncementIsStaleOnceItsPortIsUsedAgain(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      // Below those that the kernel gives to calls without one, of which there are thousands here.
      String port = "30001";
      String to = NodeAddress.NODE2.v4();
      // Announced from the newer job, and never made a session.
      try (var earlier = call(stage, hers.newest(), "abort", "-", port, to, "22")) {
        earlier.says("aborted");
        assertEquals(
            "job " + hers.oldest(),
            login(stage, stage.node1(), hers.oldest(), User.ALICE, "-", port, to, "22"));
      }
      bob.noticesNothing();
    }
  }

  /** So many calls at once that the kernel stops announcing hers: the later one is not told. */
  @Test
  void anAnnouncementIsStaleThoughTheLaterOneWasLost(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      String port = "30002";
      String to = NodeAddress.NODE2.v4();
      try (var earlier = call(stage, hers.newest(), "abort", "-", port, to, "22")) {
        earlier.says("aborted");
      }
      try (var flood =
          Attack.inJob(
              stage,
              stage.node1(),
              hers.newest(),
              User.ALICE,
              "connects.py",
              "syn",
              "2000000000",
              to,
              "22")) {
        flood.says("flooding");
        assertEquals(
            "job " + hers.oldest(),
            login(stage, stage.node1(), hers.oldest(), User.ALICE, "-", port, to, "22"));
        flood.isAtWork();
        bob.noticesNothing();
      }
    }
  }

  private static Attack call(Stage stage, long job, String... words) {
    return Attack.inJob(stage, stage.node1(), job, User.ALICE, "call.py", words);
  }

  @Test
  void aV4MappedAddressIsThatOfTheCall(Stage stage) {
    try (var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var held =
            call(
                stage, hers.oldest(), "hold", "-", "0", "::ffff:" + NodeAddress.NODE2.v4(), "22")) {
      held.says("call ");
      assertEquals(
          "job " + hers.oldest() + " of uid 2001",
          Answers.of(stage, stage.node2(), Answers.connection(held.told("call"))));
      assertEquals(
          "job " + hers.oldest(),
          login(
              stage,
              stage.node1(),
              hers.oldest(),
              User.ALICE,
              "-",
              "0",
              "::ffff:" + NodeAddress.NODE2.v4(),
              "22"));
    }
  }

  /** Such an address is on every node's own link, here a rack's: it does not show which node. */
  @Test
  void aLinkLocalAddressNamesNobody(Stage stage) {
    String address =
        stage
            .node3()
            .shell(User.ROOT, "ip -6 -o addr show dev eth0 scope link | awk '{print $4}'")
            .outOrThrow("node3's link-local address")
            .strip()
            .replaceFirst("/.*", "");
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node3())) {
      assertEquals(
          "job " + hers.newest(),
          login(
              stage,
              stage.node1(),
              hers.oldest(),
              User.ALICE,
              "-",
              "30003",
              address + "%%eth0",
              "22"));
      bob.noticesNothing();
    }
  }

  @Test
  void loopbackOfTwoNodesIsNeverMixedUp(Stage stage) {
    String[] call = {"127.0.0.1", "30004", "127.0.0.1", "22"};
    List<String> hold = new ArrayList<>(List.of("hold"));
    hold.addAll(List.of(call));
    String[] holding = hold.toArray(String[]::new);
    Connection connection = Answers.connection(String.join(" ", call));
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var here =
            Attack.inJob(stage, stage.node1(), hers.oldest(), User.ALICE, "call.py", holding);
        var there =
            Attack.inJob(stage, stage.node2(), bob.jobs().newest(), User.BOB, "call.py", holding)) {
      here.says("call ");
      there.says("call ");
      assertEquals(
          "job " + hers.oldest() + " of uid 2001", Answers.of(stage, stage.node1(), connection));
      assertEquals(
          "job " + bob.jobs().newest() + " of uid 2002",
          Answers.of(stage, stage.node2(), connection));
      // The gateway and the others know nothing of what stays on a node.
      String elsewhere = Answers.of(stage, stage.cluster().node(NodeAddress.LOGIN), connection);
      assertNotEquals("job " + hers.oldest() + " of uid 2001", elsewhere);
      assertNotEquals("job " + bob.jobs().newest() + " of uid 2002", elsewhere);
      here.kill();
      assertEquals(
          "job " + hers.oldest(), login(stage, stage.node1(), hers.oldest(), User.ALICE, call));
      bob.noticesNothing();
    }
  }

  @Test
  void aCallFromOutsideOfJobsIsNoJobs(Stage stage) {
    try (var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var held =
            Attack.through(
                StepSocketFile.of(stage.node1().leaf("exec")),
                stage.node1(),
                User.ALICE,
                "call.py",
                "hold",
                "-",
                "0",
                NodeAddress.NODE2.v4(),
                "22")) {
      held.says("call ");
      assertEquals(
          "no job of uid 2001",
          Answers.of(stage, stage.node2(), Answers.connection(held.told("call"))));
      assertEquals(2, hers.ids().size());
    }
  }
}
