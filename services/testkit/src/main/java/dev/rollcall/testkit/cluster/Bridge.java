package dev.rollcall.testkit.cluster;

import java.time.Duration;
import java.util.List;

/** The nodes' network: a bridge in a namespace of its own, so that clusters do not meet. */
final class Bridge {
  private static final Duration TOOL_DEADLINE = Patience.ofSeconds(20);

  private final NodeNamespaces namespace;

  private Bridge(NodeNamespaces namespace) {
    this.namespace = namespace;
  }

  static Bridge raise(ClusterLayout layout) {
    var namespace =
        NodeNamespaces.start(
            "bridge",
            List.of("-n"),
            layout.tree().leaf("bridge"),
            layout.files().resolve("bridge.log"),
            // Snooping would hold back neighbour solicitations until a querier is there: never.
            List.of(
                "sh",
                "-c",
                "ip link add br0 type bridge mcast_snooping 0 && ip link set br0 up && echo up"
                    + " && exec sleep infinity"));
    namespace.expect("up");
    return new Bridge(namespace);
  }

  /** Gives the node's network namespace a card, eth0, whose other end is on the bridge. */
  void plug(NodeAddress node, long pid) {
    Running.run(
            TOOL_DEADLINE,
            List.of(
                "nsenter",
                "-t",
                Long.toString(namespace.pid()),
                "-n",
                "sh",
                "-c",
                "ip link add $1 type veth peer name eth0 netns $2"
                    + " && ip link set $1 master br0 up",
                "sh",
                "p-" + node.name(),
                Long.toString(pid)))
        .outOrThrow("plugging " + node.name() + " in");
  }
}
