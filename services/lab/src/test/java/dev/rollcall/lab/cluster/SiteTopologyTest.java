package dev.rollcall.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class SiteTopologyTest {
  /** Prints the caller's and the own address of a session. */
  private static final String ENDS = "set -- $SSH_CONNECTION; echo $1 $3";

  private static TestCluster cluster;

  @BeforeAll
  static void raise() {
    var shape = new ClusterShape(2, 2, Topology.SITE);
    cluster = TestCluster.start(ClusterSetup.bare().withShape(shape));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static String said(NodeAddress node, String script) {
    return cluster.node(node).shell(User.ALICE, script).outOrThrow(script).strip();
  }

  private static String ends(NodeAddress from, String host) {
    return said(from, "ssh %s '%s'".formatted(host, ENDS));
  }

  @Test
  void racksAreBehindARouter() {
    assertEquals("10.77.1.11 10.77.2.12", ends(NodeAddress.NODE1, "node2"));
    assertEquals("fd77:1::11 fd77:2::12", ends(NodeAddress.NODE1, "node2-6"));
    String route = said(NodeAddress.NODE1, "ip route get 10.77.2.12");
    assertTrue(route.contains(" via 10.77.1.254 "), route);
    String onLink = said(NodeAddress.NODE1, "ip -o route show scope link");
    assertFalse(onLink.contains("10.77.2."), onLink);
    // Neighbours are only the router: it answers for no other address.
    String neighbours = said(NodeAddress.NODE1, "ip -4 neighbour show dev eth0");
    assertEquals("10.77.1.254", neighbours.replaceAll(" .*", ""));
  }

  @Test
  void computeNodesHaveASecondNetworkThatNoCertificateNames() {
    assertEquals("10.88.0.11 10.88.0.12", ends(NodeAddress.NODE1, "node2-ib"));
    assertEquals("fd88::11 fd88::12", ends(NodeAddress.NODE1, "node2-ib-6"));
    assertFalse(cluster.node(NodeAddress.LOGIN).shell(User.ALICE, "ssh node2-ib true").ok());
    String certificate = cluster.certificateOf(NodeAddress.NODE2).resolve("certificate.pem") + "";
    String names =
        said(NodeAddress.NODE2, "openssl x509 -noout -ext subjectAltName -in " + certificate);
    assertTrue(names.contains("IP Address:10.77.2.12"), names);
    assertFalse(names.contains("10.88."), names);
  }

  @Test
  void theSecondGatewayHasOnlyAnIpv6Address() {
    assertEquals("fd77:2::12 fd77:9::3", ends(NodeAddress.NODE2, "gate2"));
    assertEquals("[fd77:9::3]:7450", cluster.endpoint(cluster.node(NodeAddress.gate(2))));
    assertEquals("10.77.9.2:7450", cluster.endpoint(cluster.node(NodeAddress.GATE)));
  }

  @Test
  void theLoginNodeReachesGatewaysFromItsSecondCard() {
    assertEquals("10.77.9.1 10.77.9.2", ends(NodeAddress.LOGIN, "gate"));
    assertEquals("10.77.0.1 10.77.1.11", ends(NodeAddress.LOGIN, "node1"));
  }

  @Test
  void theCampusReachesOnlyTheLoginNodeAndSeesOneAddress() {
    assertEquals("192.0.2.254 192.0.2.10", ends(NodeAddress.NODE1, "campus"));
    assertEquals("192.0.2.254 192.0.2.10", ends(NodeAddress.LOGIN, "campus"));
    assertEquals("192.0.2.10 10.77.0.1", ends(NodeAddress.CAMPUS, NodeAddress.LOGIN_FROM_CAMPUS));
    assertFalse(cluster.node(NodeAddress.CAMPUS).shell(User.ALICE, "ssh node1 true").ok());
    assertEquals(
        "10.77.0.1 10.77.2.12",
        ends(NodeAddress.CAMPUS, "-J " + NodeAddress.LOGIN_FROM_CAMPUS + " node2"));
  }

  @Test
  void hostNamesHaveADomain() {
    assertEquals("node2.rack2.site.example", said(NodeAddress.NODE2, "hostname"));
    assertEquals("10.77.1.11 10.77.2.12", ends(NodeAddress.NODE1, "node2.rack2.site.example"));
    assertEquals("node2", cluster.node(NodeAddress.NODE2).name());
  }
}
