package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;

/**
 * A node whose packets leave late: a token bucket makes them wait in a queue (tc-tbf(8)). A fixed
 * delay is what netem would give; it is a module that not every kernel has.
 */
public final class SlowCard implements InjectedFault {
  private final ClusterNode node;
  private boolean over;

  private SlowCard(ClusterNode node) {
    this.node = node;
  }

  /**
   * @param kilobits a second; a queue of more than two seconds is cut
   */
  public static SlowCard of(ClusterNode node, int kilobits) {
    // The bucket holds one packet of the largest size and its header: less passes nothing.
    tc(node, "replace", "tbf", "rate", kilobits + "kbit", "burst", "2kb", "latency", "2s");
    return new SlowCard(node);
  }

  private static void tc(ClusterNode node, String verb, String... words) {
    node.shell(User.ROOT, "tc qdisc %s dev eth0 root %s".formatted(verb, String.join(" ", words)))
        .outOrThrow("tc in " + node.name());
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      tc(node, "del");
    }
  }
}
