package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Packets that are lost without a word, by a table of nftables on some nodes. What was connected
 * before is hit as well.
 */
public final class Packets implements InjectedFault {
  private static final AtomicLong NUMBER = new AtomicLong();

  private final String table = "inet rollcall_fault_" + NUMBER.incrementAndGet();
  private final Collection<ClusterNode> nodes;
  private boolean over;

  private Packets(Collection<ClusterNode> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** Nothing goes to or from the node, on any of its networks but loopback. */
  public static Packets allOf(ClusterNode node) {
    return on(List.of(node), "oif != lo drop", "iif != lo drop");
  }

  /** So many of a hundred packets to the node are lost. */
  public static Packets someOf(ClusterNode node, int percent) {
    return on(
        List.of(node), "accept", "iif != lo numgen random mod 100 < %d drop".formatted(percent));
  }

  /** Nothing goes between the two sets of nodes, on any network; within each all is well. */
  public static Packets between(Collection<ClusterNode> some, Collection<ClusterNode> others) {
    return on(some, addressed("daddr", others), addressed("saddr", others));
  }

  /** Nothing goes between the gateways of the two sets on their own network: the grid splits. */
  public static Packets betweenMembers(
      Collection<ClusterNode> some, Collection<ClusterNode> others) {
    return on(some, members("daddr", others), members("saddr", others));
  }

  private static String addressed(String end, Collection<ClusterNode> far) {
    return "ip %1$s { %2$s } drop\n    ip6 %1$s { %3$s } drop\n    %4$s"
        .formatted(end, list(far, NodeAddress::v4), list(far, NodeAddress::v6), members(end, far));
  }

  private static String members(String end, Collection<ClusterNode> far) {
    return "ip %s { %s } drop".formatted(end, list(far, NodeAddress::memberV4));
  }

  private static String list(Collection<ClusterNode> nodes, Function<NodeAddress, String> which) {
    return nodes.stream()
        .map(node -> which.apply(node.address()))
        .collect(Collectors.joining(", "));
  }

  private static Packets on(Collection<ClusterNode> nodes, String out, String in) {
    var packets = new Packets(nodes);
    for (ClusterNode node : nodes) {
      node.exec(
              User.ROOT,
              "nft",
              """
              table %s {
                chain out { type filter hook output priority 0;
                  %s
                }
                chain in { type filter hook input priority 0;
                  %s
                }
              }
              """
                  .formatted(packets.table, out, in))
          .outOrThrow("nft in " + node.name());
    }
    return packets;
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      nodes.forEach(node ->
          node.exec(User.ROOT, "nft", "delete table " + table).outOrThrow("nft in " + node.name()));
    }
  }
}
