package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The networks: bridges in a namespace of their own, so that clusters do not meet. One is the
 * nodes', one the gateways' alone, where their grid is.
 */
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
                "for bridge in br0 br1; do ip link add $bridge type bridge mcast_snooping 0"
                    + " && ip link set $bridge up || exit 1; done; echo up"
                    + " && exec sleep infinity"));
    namespace.expect("up");
    return new Bridge(namespace);
  }

  /** Gives the node's network namespace a card, eth0, whose other end is on the nodes' bridge. */
  void plug(NodeAddress node, long pid) {
    plug(node, pid, "eth0", "br0", "p-" + node.name());
  }

  /** Gives a gateway a second card, eth1, on the gateways' bridge. */
  void plugMember(NodeAddress gateway, long pid) {
    plug(gateway, pid, "eth1", "br1", "m-" + gateway.name());
  }

  private void plug(NodeAddress node, long pid, String card, String bridge, String port) {
    exec(
        "plugging " + node.name() + " in",
        "ip link add $1 type veth peer name $2 netns $3 && ip link set $1 master $4 up",
        port,
        card,
        Long.toString(pid),
        bridge);
  }

  private void exec(String what, String script, String... words) {
    var argv =
        new ArrayList<>(
            List.of("nsenter", "-t", Long.toString(namespace.pid()), "-n", "sh", "-c", script));
    argv.add("sh");
    argv.addAll(List.of(words));
    Running.run(TOOL_DEADLINE, argv).outOrThrow(what);
  }
}
