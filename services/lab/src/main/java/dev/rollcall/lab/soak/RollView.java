package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeState;
import io.grpc.StatusRuntimeException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares what the roll holds with what the nodes say, as they are asked now. */
public final class RollView {
  private final TestCluster cluster;
  private final AgentLines agents;

  public RollView(TestCluster cluster, AgentLines agents) {
    this.cluster = cluster;
    this.agents = agents;
  }

  /** What differs, for people; empty if nothing does. A failure to answer is a difference. */
  public String differences() {
    try {
      Map<String, Set<Long>> nodes = new HashMap<>();
      for (ClusterNode node : cluster.compute()) {
        nodes.put(node.name(), new HashSet<>(agents.open(node)));
      }
      ClusterNode asked = cluster.node(NodeAddress.LOGIN);
      String absent = absent(agents.nodes(asked));
      return absent.isEmpty() ? Agreement.differences(nodes, roll()) : absent;
    } catch (StatusRuntimeException e) {
      return "not answered: " + e.getMessage();
    }
  }

  /** Root on a node is told what is on that node, so each is asked. */
  private Map<String, Set<Long>> roll() {
    return cluster.compute().stream()
        .flatMap(node -> agents.roll(node).stream())
        .filter(job -> job.getState() == JobState.JOB_STATE_OPEN && !job.getStale())
        .collect(
            Collectors.groupingBy(
                job -> job.getNode(),
                Collectors.mapping(job -> job.getJobId(), Collectors.toSet())));
  }

  private String absent(List<Node> connected) {
    var absent = new TreeSet<String>();
    cluster.nodes().forEach(node -> absent.add(node.name()));
    connected.stream()
        .filter(node -> node.getState() == NodeState.NODE_STATE_CONNECTED)
        .forEach(node -> absent.remove(node.getNode()));
    return absent.isEmpty() ? "" : "not connected: " + absent;
  }
}
