package dev.rollcall.lab.cluster;

/**
 * A node's name and where it is: 10.77.0.HOST and fd77::HOST (the same digits, read as hex).
 *
 * @param host 1 to 254
 */
public record NodeAddress(String name, int host) {
  /** Where users come from: it has an agent and runs no jobs. */
  public static final NodeAddress LOGIN = new NodeAddress("login", 1);

  /** Where the gateway runs, the first of them if there are several. */
  public static final NodeAddress GATE = gate(1);

  public static final NodeAddress NODE1 = node(1);
  public static final NodeAddress NODE2 = node(2);
  public static final NodeAddress NODE3 = node(3);

  static final int MOST_GATEWAYS = 9;
  static final int MOST_NODES = 240;

  /** A compute node, node1 to node240. */
  public static NodeAddress node(int number) {
    if (number < 1 || number > MOST_NODES) {
      throw new IllegalArgumentException("no address is left for node" + number);
    }
    return new NodeAddress("node" + number, 10 + number);
  }

  /** A gateway: gate, gate2 and so on to gate9. */
  public static NodeAddress gate(int number) {
    if (number < 1 || number > MOST_GATEWAYS) {
      throw new IllegalArgumentException("no address is left for gate" + number);
    }
    return new NodeAddress(number == 1 ? "gate" : "gate" + number, 1 + number);
  }

  public String v4() {
    return "10.77.0." + host;
  }

  public String v6() {
    return "fd77::" + host;
  }

  /** A gateway's address on the network of the gateways alone. */
  public String memberV4() {
    return "10.78.0." + host;
  }

  /** The name that resolves to the IPv6 address alone. */
  public String nameV6() {
    return name + "-6";
  }
}
