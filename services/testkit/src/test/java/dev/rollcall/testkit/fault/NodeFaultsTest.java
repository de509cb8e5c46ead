package dev.rollcall.testkit.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.cluster.ClusterNode;
import dev.rollcall.testkit.cluster.ClusterSetup;
import dev.rollcall.testkit.cluster.ClusterShape;
import dev.rollcall.testkit.cluster.NodeAddress;
import dev.rollcall.testkit.cluster.TestCluster;
import dev.rollcall.testkit.cluster.User;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Faults of nodes and networks; those of Rollcall's processes are tested in deploy. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeFaultsTest {
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
      assertTrue(reaches(gate(1), gate(2).address().v4()));
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
          "for i in $(seq 40); do timeout 0.5 bash -c 'exec 3<>/dev/tcp/10.77.0.11/22'"
              + " && echo answered; done";
      long answered = node(2).shell(User.ROOT, tries).out().lines().count();
      assertTrue(answered > 0 && answered < 40, () -> answered + " of 40 answered");
    }
  }

  @Test
  void aSlowCardMakesBytesWait() {
    long quick = millisOf16Kilobytes();
    try (var _ = SlowCard.of(node(1), 128)) {
      // 16 KiB are 131,072 bits: about a second at 128 kbit/s, less what the bucket holds.
      assertTrue(millisOf16Kilobytes() > quick + 500);
    }
    assertTrue(node(1).shell(User.ROOT, "tc qdisc show dev eth0").out().contains("noqueue"));
  }

  private long millisOf16Kilobytes() {
    var result = node(1).exec(User.ALICE, "sh", "-c", "head -c 16384 /dev/zero | ssh node2 wc -c");
    assertEquals("16384", result.outOrThrow("ssh").strip());
    return result.millis();
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
