package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.TestCluster;
import java.time.Duration;

/** The wall clock of a node's agent or gateway, stepped; closing steps it back. */
public final class ClockStep implements InjectedFault {
  private final TestCluster cluster;
  private final ClusterNode node;

  private ClockStep(TestCluster cluster, ClusterNode node) {
    this.cluster = cluster;
    this.node = node;
  }

  /**
   * @param cluster one with stepped clocks
   * @param by forwards, or backwards if negative; whole seconds
   */
  public static ClockStep of(TestCluster cluster, ClusterNode node, Duration by) {
    cluster.stepClock(node.address(), by);
    return new ClockStep(cluster, node);
  }

  @Override
  public void close() {
    cluster.stepClock(node.address(), Duration.ZERO);
  }
}
