package dev.rollcall.lab.cluster;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The size of a cluster and its networks. There is always one login node besides.
 *
 * @param nodes how many compute nodes, 1 to 240
 * @param gateways how many gateways, 1 to 9
 */
public record ClusterShape(int nodes, int gateways, Topology topology) {
  /** node1 to node3, and one gateway. */
  public static final ClusterShape USUAL = new ClusterShape(3, 1);

  /** The topology of a site, or that of {@code -Drollcall.shape=flat}. */
  public ClusterShape(int nodes, int gateways) {
    this(nodes, gateways, Topology.of(System.getProperty("rollcall.shape", "site")));
  }

  public ClusterShape {
    if (nodes < 1 || nodes > NodeAddress.MOST_NODES) {
      throw new IllegalArgumentException(
          "%d nodes: 1 to %d can be".formatted(nodes, NodeAddress.MOST_NODES));
    }
    if (gateways < 1 || gateways > NodeAddress.MOST_GATEWAYS) {
      throw new IllegalArgumentException(
          "%d gateways: 1 to %d can be".formatted(gateways, NodeAddress.MOST_GATEWAYS));
    }
  }

  /** node1 and so on. */
  public List<NodeAddress> compute() {
    return IntStream.rangeClosed(1, nodes).mapToObj(NodeAddress::node).toList();
  }

  /** gate, gate2 and so on. */
  public List<NodeAddress> gates() {
    return IntStream.rangeClosed(1, gateways).mapToObj(NodeAddress::gate).toList();
  }

  /** Those that have an agent, login first. */
  public List<NodeAddress> withAgent() {
    return Stream.concat(Stream.of(NodeAddress.LOGIN), compute().stream()).toList();
  }

  /** Login, the gateways, the compute nodes. */
  public List<NodeAddress> all() {
    return Stream.of(List.of(NodeAddress.LOGIN), gates(), compute()).flatMap(List::stream).toList();
  }

  /** Those of the cluster, and the hosts outside that the topology has. */
  List<NodeAddress> withOutside() {
    return Stream.concat(all().stream(), topology.outside().stream()).toList();
  }

  /** The network cards of a node. */
  List<Card> cards(NodeAddress node) {
    if (!hasGrid() || !gates().contains(node)) {
      return topology.cards(node);
    }
    Card member = new Card("eth1", Network.MEMBERS.bridge()).withV4(node.memberV4(), 24);
    return Stream.concat(topology.cards(node).stream(), Stream.of(member)).toList();
  }

  /** Whether the gateways are members of one grid, on a network of their own. */
  boolean hasGrid() {
    return gateways > 1;
  }
}
