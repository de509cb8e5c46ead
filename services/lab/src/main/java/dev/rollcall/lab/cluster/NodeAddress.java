package dev.rollcall.lab.cluster;

/**
 * A node's name and where it is.
 *
 * @param network the one of its first address
 * @param host its number there and on other networks, 1 to 253
 */
public record NodeAddress(String name, Network network, int host) {
  /** Where users come from: it has an agent and runs no jobs. */
  public static final NodeAddress LOGIN = new NodeAddress("login", Network.SERVICE, 1);

  /** Where the gateway runs, the first of them if there are several. */
  public static final NodeAddress GATE = gate(1);

  /** A host outside of the cluster. It has sshd and no agent. */
  public static final NodeAddress CAMPUS = new NodeAddress("campus", Network.CAMPUS, 10);

  /** The name by which the campus reaches the login node, at an address of the router's. */
  public static final String LOGIN_FROM_CAMPUS = "login.campus.example";

  public static final NodeAddress NODE1 = node(1);
  public static final NodeAddress NODE2 = node(2);
  public static final NodeAddress NODE3 = node(3);

  static final int MOST_GATEWAYS = 9;
  static final int MOST_NODES = 240;

  /** A compute node, node1 to node240: one with an odd number in rack 1, others in rack 2. */
  public static NodeAddress node(int number) {
    if (number < 1 || number > MOST_NODES) {
      throw new IllegalArgumentException("no address is left for node" + number);
    }
    Network rack = number % 2 == 1 ? Network.RACK1 : Network.RACK2;
    return new NodeAddress("node" + number, rack, 10 + number);
  }

  /** A gateway: gate, gate2 and so on to gate9. */
  public static NodeAddress gate(int number) {
    if (number < 1 || number > MOST_GATEWAYS) {
      throw new IllegalArgumentException("no address is left for gate" + number);
    }
    return new NodeAddress(number == 1 ? "gate" : "gate" + number, Network.MANAGEMENT, 1 + number);
  }

  public String v4() {
    return network.v4(host);
  }

  public String v6() {
    return network.v6(host);
  }

  /** A gateway's address on the network of the gateways' Hazelcast cluster. */
  public String memberV4() {
    return Network.MEMBERS.v4(host);
  }

  /** The name that resolves to the IPv6 address alone. */
  public String nameV6() {
    return name + "-6";
  }

  /** A compute node's address on the second network, if it has one. */
  public String v4Fabric() {
    return Network.FABRIC.v4(host);
  }

  /** The name of that address. */
  public String nameFabric() {
    return name + "-ib";
  }
}
