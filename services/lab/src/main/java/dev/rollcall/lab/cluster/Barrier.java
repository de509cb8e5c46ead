package dev.rollcall.lab.cluster;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Packets that a node drops from now on, without a word to the sender, until this is closed. */
public final class Barrier implements AutoCloseable {
  private static final String TABLE = "inet rollcall_barrier";

  private final ClusterNode node;

  private Barrier(ClusterNode node) {
    this.node = node;
  }

  /** Drops everything between the node and a port of others, both ways. */
  static Barrier to(ClusterNode node, List<NodeAddress> far, int port) {
    return raise(
        node,
        """
        chain out { type filter hook output priority 0;
          ip daddr { %1$s } tcp dport %3$d drop
          ip6 daddr { %2$s } tcp dport %3$d drop
        }
        chain in { type filter hook input priority 0;
          ip saddr { %1$s } tcp sport %3$d drop
          ip6 saddr { %2$s } tcp sport %3$d drop
        }
        """
            .formatted(list(far, NodeAddress::v4), list(far, NodeAddress::v6), port));
  }

  private static String list(List<NodeAddress> nodes, Function<NodeAddress, String> address) {
    return nodes.stream().map(address).collect(Collectors.joining(", "));
  }

  /** Drops whatever begins a connection to the node, but ssh. */
  static Barrier againstCalls(ClusterNode node) {
    // By flags and not by connection tracking: that would have to know what was there before.
    return raise(
        node,
        """
        chain in { type filter hook input priority 0;
          iif lo accept
          tcp dport 22 accept
          tcp flags & (syn | ack) == syn drop
          meta l4proto udp drop
        }
        """);
  }

  private static Barrier raise(ClusterNode node, String chains) {
    node.exec(User.ROOT, "nft", "table " + TABLE + " {\n" + chains + "}\n")
        .outOrThrow("nft in " + node.name());
    return new Barrier(node);
  }

  @Override
  public void close() {
    node.exec(User.ROOT, "nft", "delete table " + TABLE).outOrThrow("nft in " + node.name());
  }
}
