package dev.rollcall.gateway.stream;

import dev.rollcall.model.NodeName;
import io.grpc.Status;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes connected to this gateway, with at most one stream each: the one registered last. */
public final class ConnectedNodes {
  private final Map<NodeName, ConnectedNode> nodes = new ConcurrentHashMap<>();

  /** Enters a node's stream. The loser of two, by registration, is closed. */
  public void enter(ConnectedNode node) {
    ConnectedNode[] loser = new ConnectedNode[1];
    nodes.compute(
        node.name(),
        (_, before) -> {
          boolean newer =
              before == null || node.registration().number() > before.registration().number();
          loser[0] = newer ? before : node;
          return newer ? node : before;
        });
    if (loser[0] != null) {
      loser[0]
          .orders()
          .close(
              Status.ABORTED.withDescription(
                  "node " + node.name() + " has opened a newer stream to this gateway"));
    }
  }

  /** A stream has ended. Another one of the same node stays. */
  public void leave(ConnectedNode node) {
    nodes.remove(node.name(), node);
  }

  public Optional<ConnectedNode> find(NodeName name) {
    return Optional.ofNullable(nodes.get(name));
  }

  public Collection<ConnectedNode> all() {
    return List.copyOf(nodes.values());
  }

  public int count() {
    return nodes.size();
  }
}
