package dev.rollcall.testkit.cluster;

import java.util.List;

/**
 * A node's name and where it is: 10.77.0.HOST and fd77::HOST (the same digits, read as hex).
 *
 * @param host 1 to 99
 */
public record NodeAddress(String name, int host) {
  /** Where users come from: it has an agent and runs no jobs. */
  public static final NodeAddress LOGIN = new NodeAddress("login", 1);

  /** Where the gateway runs. */
  public static final NodeAddress GATE = new NodeAddress("gate", 2);

  public static final NodeAddress NODE1 = new NodeAddress("node1", 11);
  public static final NodeAddress NODE2 = new NodeAddress("node2", 12);
  public static final NodeAddress NODE3 = new NodeAddress("node3", 13);

  static final List<NodeAddress> ALL = List.of(LOGIN, GATE, NODE1, NODE2, NODE3);

  public String v4() {
    return "10.77.0." + host;
  }

  public String v6() {
    return "fd77::" + host;
  }

  /** The name that resolves to the IPv6 address alone. */
  public String nameV6() {
    return name + "-6";
  }
}
