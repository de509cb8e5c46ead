package dev.rollcall.lab.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Faults of nodes and networks; those of Rollcall's processes are tested in deploy. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeFaultsTest {
  /** How often a packet had to wait, as tc-stats counts. */
  private static final Pattern OVERLIMITS = Pattern.compile("overlimits (\\d+)");

  private TestCluster cluster;

  @BeforeAll
  void raise() {
    cluster = TestCluster.start(ClusterSetup.bare().withShape(new ClusterShape(3, 3)));
  }

  @AfterAll
  void takeDown() {
    cluster.close();
  }

  private ClusterNode node(int number) {
    return cluster.node(NodeAddress.node(number));
  }

  private ClusterNode gate(int number) {
    return cluster.node(NodeAddress.gate(number));
  }

  /** Whether a connection to sshd is made within two seconds. */
  private static boolean reaches(ClusterNode from, String address) {
    return from.exec(User.ROOT, "timeout", "2", "bash", "-c", "exec 3<>/dev/tcp/" + address + "/22")
        .ok();
  }

  @Test
  void aNodeWithoutItsNetworkIsReachedByNobodyUntilItIsBack() {
    try (var _ = Packets.allOf(node(1))) {
      assertFalse(reaches(node(2), node(1).address().v4()));
      assertFalse(reaches(node(2), node(1).address().v6()));
      assertTrue(reaches(node(2), node(3).address().v4()));
      assertTrue(reaches(node(1), "127.0.0.1"));
    }
    assertTrue(reaches(node(2), node(1).address().v4()));
  }

  @Test
  void aPartitionCutsTheSetsFromEachOtherAlone() {
    List<ClusterNode> some = List.of(node(1), gate(1));
    try (var _ = Packets.between(some, List.of(node(2), gate(2), gate(3)))) {
      assertFalse(reaches(node(1), node(2).address().v4()));
      assertFalse(reaches(node(2), node(1).address().v6()));
      assertFalse(reaches(gate(1), gate(2).address().memberV4()));
      assertTrue(reaches(node(1), gate(1).address().v4()));
      assertTrue(reaches(gate(2), gate(3).address().memberV4()));
    }
    assertTrue(reaches(node(1), node(2).address().v4()));
  }

  @Test
  void gatewaysAreCutOnTheirOwnNetworkAlone() {
    try (var _ = Packets.betweenMembers(List.of(gate(1)), List.of(gate(2)))) {
      assertFalse(reaches(gate(1), gate(2).address().memberV4()));
      assertTrue(reaches(gate(1), gate(3).address().memberV4()));
      assertTrue(reaches(gate(1), gate(2).address().v6()));
      // Two faults of one kind at once, on the same node.
      try (var _ = Packets.betweenMembers(List.of(gate(1)), List.of(gate(3)))) {
        assertFalse(reaches(gate(1), gate(3).address().memberV4()));
      }
      assertTrue(reaches(gate(1), gate(3).address().memberV4()));
    }
    assertTrue(reaches(gate(1), gate(2).address().memberV4()));
  }

  @Test
  void someOfThePacketsAreLost() {
    try (var _ = Packets.someOf(node(1), 50)) {
      // A SYN that is lost is sent again after a second.
      String tries =
          "for i in $(seq 40); do timeout 0.5 bash -c 'exec 3<>/dev/tcp/10.77.1.11/22'"
              + " && echo answered; done";
      long answered = node(2).shell(User.ROOT, tries).out().lines().count();
      assertTrue(answered > 0 && answered < 40, () -> answered + " of 40 answered");
    }
  }

  @Test
  void aSlowCardMakesBytesWait() {
    try (var _ = SlowCard.of(node(1), 128)) {
      var result =
          node(1).exec(User.ALICE, "sh", "-c", "head -c 16384 /dev/zero | ssh node2 wc -c");
      assertEquals("16384", result.outOrThrow("ssh").strip());
      // 14 KiB more than the bucket holds are 114,688 bits: no machine sends them sooner.
      assertTrue(result.millis() >= 800, () -> result.millis() + " ms");
      // A slow machine would take as long without the bucket: what waited in it is counted.
      Matcher waited = OVERLIMITS.matcher(queue(node(1)));
      assertTrue(waited.find(), () -> queue(node(1)));
      assertTrue(Long.parseLong(waited.group(1)) > 0, () -> queue(node(1)));
    }
    assertTrue(queue(node(1)).contains("noqueue"));
  }

  private static String queue(ClusterNode node) {
    return node.shell(User.ROOT, "tc -s qdisc show dev eth0").outOrThrow("tc");
  }

  @Test
  void aFullDiskTakesNoByteMoreAndIsThenAsBefore() {
    String write = "echo word | tee " + node(1).disk() + "/file";
    try (var _ = FullDisk.of(node(1))) {
      var refused = node(1).shell(User.ROOT, write);
      assertTrue(refused.err().contains("No space left on device"), refused::toString);
      assertTrue(
          node(2).shell(User.ROOT, "echo word > " + node(2).disk() + "/file").ok(), "node2's disk");
    }
    assertTrue(node(1).shell(User.ROOT, write).ok());
  }
}
