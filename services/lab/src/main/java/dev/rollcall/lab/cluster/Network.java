package dev.rollcall.lab.cluster;

import java.util.Locale;

/**
 * A network of a cluster, and its addresses. Those of the first four are parts of 10.77.0.0/16 and
 * fd77::/16.
 */
public enum Network {
  /** Where the login node is. */
  SERVICE("10.77.0.", "fd77::"),
  /** Where the gateways are. */
  MANAGEMENT("10.77.9.", "fd77:9::"),
  /** Where the nodes with odd numbers are. */
  RACK1("10.77.1.", "fd77:1::"),
  /** Where the nodes with even numbers are. */
  RACK2("10.77.2.", "fd77:2::"),
  /** The second network of compute nodes, as IPoIB. */
  FABRIC("10.88.0.", "fd88::"),
  /** The gateways' own, for their Hazelcast cluster. */
  MEMBERS("10.78.0.", "fd78::"),
  /** The site's other hosts, to which the cluster's addresses are unknown. */
  CAMPUS("192.0.2.", "2001:db8::");

  /** The router's host number on each network that it routes. */
  static final int ROUTER = 254;

  private final String v4;
  private final String v6;

  Network(String v4, String v6) {
    this.v4 = v4;
    this.v6 = v6;
  }

  /**
   * A host's IPv4 address.
   *
   * @param host 1 to 254
   */
  String v4(int host) {
    return v4 + host;
  }

  /** A host's IPv6 address: the same digits as in IPv4, read as hex. */
  String v6(int host) {
    return v6 + host;
  }

  /** The name of its bridge. */
  String bridge() {
    return name().toLowerCase(Locale.ROOT);
  }
}
