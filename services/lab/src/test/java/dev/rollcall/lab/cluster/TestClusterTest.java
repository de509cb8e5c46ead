package dev.rollcall.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class TestClusterTest {

  @Test
  void leadsFromNodeToNodeByBothFamiliesWithSourceAddressesOfItsOwn() {
    try (var cluster = TestCluster.start(ClusterSetup.bare())) {
      var node1 = cluster.node(NodeAddress.NODE1);
      assertEquals(
          "node2 alice 10.77.1.11",
          node1.exec(User.ALICE, "ssh", "node2", saying()).outOrThrow("ssh").strip());
      assertEquals(
          "node2 alice fd77:1::11",
          node1.exec(User.ALICE, "ssh", "node2-6", saying()).outOrThrow("ssh").strip());
      assertEquals("sshd", cluster.node(NodeAddress.NODE2).cgroupOf(sshd(cluster)));
    }
  }

  @Test
  void barriersDropWhatTheySayAndNothingElse() {
    try (var cluster = TestCluster.start(ClusterSetup.bare())) {
      var node1 = cluster.node(NodeAddress.NODE1);
      var gate = cluster.node(NodeAddress.GATE);
      // The stream's port needs a listener: a second sshd is one.
      gate.start(User.ROOT, "/usr/sbin/sshd", "-D", "-p", "7450", "-o", "PidFile=none");
      assertTrue(
          Eventually.holds(Duration.ofSeconds(60), () -> reaches(node1, "7450")), "no listener");
      try (var _ = node1.cutStream()) {
        assertFalse(reaches(node1, "7450"));
        assertTrue(reaches(node1, "22"));
      }
      try (var _ = gate.dropIncoming()) {
        assertFalse(reaches(node1, "7450"));
        assertTrue(reaches(node1, "22"));
        assertTrue(gate.exec(User.ALICE, "ssh", "node1", "true").ok());
      }
      assertTrue(reaches(node1, "7450"));
    }
  }

  private static boolean reaches(ClusterNode node, String port) {
    return node.exec(
            User.ALICE,
            "ssh",
            "-p",
            port,
            "-o",
            "HostKeyAlias=gate",
            "-o",
            "ConnectTimeout=1",
            "gate",
            "true")
        .ok();
  }

  private static String saying() {
    return "echo $(hostname -s) $USER ${SSH_CONNECTION%% *}";
  }

  private static long sshd(TestCluster cluster) {
    try {
      Path pid = cluster.node(NodeAddress.NODE2).file("/run/sshd.pid");
      return Long.parseLong(Files.readString(pid).strip());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void leavesNothingBehindAndTwoDoNotMeet() throws IOException {
    var before = MachineMounts.read();
    Path files;
    CgroupTree tree;
    try (var one = TestCluster.start(ClusterSetup.bare());
        var other = TestCluster.start(ClusterSetup.bare())) {
      files = one.directory();
      tree = new CgroupTree(CgroupTree.mount().resolve("rollcall-" + one.id()));
      one.node(NodeAddress.NODE1).shell(User.ALICE, "echo here > ~/mark").outOrThrow("mark");
      assertFalse(other.node(NodeAddress.NODE1).shell(User.ALICE, "cat ~/mark").ok());
    }
    assertFalse(Files.exists(files), files.toString());
    assertFalse(Files.exists(tree.root()), tree.toString());
    assertEquals(before, MachineMounts.read());
    assertEquals(0, processesNaming(files.toString()));
  }

  private static long processesNaming(String text) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .map(path -> Cgroups.read(path.resolve("cmdline")))
          .filter(line -> line.contains(text))
          .count();
    }
  }

  @Test
  void raisesAsManyNodesAndGatewaysAsAreAskedFor() {
    var shape = new ClusterShape(5, 2);
    try (var cluster = TestCluster.start(ClusterSetup.bare().withShape(shape))) {
      assertEquals(8, cluster.all().size());
      assertEquals(
          "node5",
          cluster
              .node(NodeAddress.LOGIN)
              .exec(User.ALICE, "ssh", "node5", "hostname -s")
              .outOrThrow("ssh")
              .strip());
      var gate2 = cluster.node(NodeAddress.gate(2));
      String route = "ip -o route get 10.78.0.2";
      assertTrue(gate2.shell(User.ROOT, route).out().contains("dev eth1 src 10.78.0.3"));
      // The gateways' network is not the nodes'.
      String call = "timeout 2 bash -c 'exec 3<>/dev/tcp/10.78.0.2/22'";
      assertTrue(gate2.shell(User.ROOT, call).ok());
      assertFalse(cluster.node(NodeAddress.node(5)).shell(User.ROOT, call).ok());
    }
  }

  @Test
  void eachNodeHasItsOwnEtc() {
    try (var cluster = TestCluster.start(ClusterSetup.bare().withShape(new ClusterShape(1, 1)))) {
      ClusterNode node1 = cluster.node(NodeAddress.NODE1);
      // It replaces /etc/passwd by rename(2).
      node1.shell(User.ROOT, "useradd --system monitor").outOrThrow("useradd");
      assertTrue(node1.exec(User.ALICE, "id", "monitor").ok());
      assertFalse(cluster.node(NodeAddress.GATE).exec(User.ALICE, "id", "monitor").ok());
    }
  }

  @Test
  void sweepsWhatAKilledOwnerLeft() throws IOException {
    Path notes = Files.createTempDirectory("rollcall-ledger-");
    var layout = ClusterLayout.fresh(ClusterShape.USUAL);
    Files.createDirectories(layout.files());
    Path procs = layout.tree().leaf("node1", "exec");
    Running left = Running.start(List.of("sh", "-c", "echo $$ > " + procs + "; exec sleep 600"));
    Eventually.await(
        Duration.ofSeconds(60),
        () -> layout.tree().processes().contains(left.pid()),
        () -> "the process does not enter " + procs);
    Files.writeString(
        notes.resolve(layout.id() + ".properties"),
        "pid=%d%nstart=1%ncgroup=%s%nfiles=%s%n"
            .formatted(left.pid(), layout.tree().root(), layout.files()));

    assertEquals(List.of(layout.id()), new Ledger(notes).sweep());

    left.await(Duration.ofSeconds(60));
    assertFalse(Files.exists(layout.files()));
    assertFalse(Files.exists(layout.tree().root()));
    try (Stream<Path> rest = Files.list(notes)) {
      assertTrue(rest.findAny().isEmpty());
    }
    Files.delete(notes);
  }
}
