package dev.rollcall.lab.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The networks of a cluster. A node has the same addresses in all topologies, so that only their
 * number, prefixes and routes differ.
 */
public enum Topology {
  /** All nodes are on one network, without a router: each is on-link for each other. */
  FLAT {
    @Override
    List<String> bridges() {
      return Stream.of(ALL, Network.MEMBERS.bridge()).flatMap(Topology::bridge).toList();
    }

    @Override
    String nat() {
      return "";
    }

    @Override
    List<Card> cards(NodeAddress node) {
      return List.of(new Card("eth0", ALL).withV4(node.v4(), 16).withV6(node.v6(), 16));
    }

    @Override
    boolean hasV4(NodeAddress node) {
      return true;
    }

    @Override
    String hostName(NodeAddress node) {
      return node.name();
    }

    @Override
    String nodeNetworks() {
      return "";
    }

    @Override
    List<String> moreHosts(NodeAddress node) {
      return List.of();
    }

    @Override
    List<NodeAddress> outside() {
      return List.of();
    }
  },

  /**
   * Racks, gateways and the login node are in subnets of their own, behind a router. Compute nodes
   * have a second network, the login node has a second card, the second gateway has only an IPv6
   * address. A host of the campus reaches only the login node, and all hosts of the cluster call it
   * from one address.
   */
  SITE {
    @Override
    List<String> bridges() {
      return Stream.concat(
              Stream.of(Network.values()).map(Network::bridge).flatMap(Topology::bridge),
              ROUTED.stream().flatMap(Topology::router))
          .toList();
    }

    @Override
    String nat() {
      return """
      table ip site {
        chain out { type nat hook postrouting priority 100;
          oifname "%1$s" masquerade
        }
        chain in { type nat hook prerouting priority -100;
          iifname "%1$s" tcp dport 22 dnat to %2$s
        }
      }
      """
          .formatted(Network.CAMPUS.bridge(), NodeAddress.LOGIN.v4());
    }

    @Override
    List<Card> cards(NodeAddress node) {
      Network network = node.network();
      Card first = new Card("eth0", network.bridge()).withV6(node.v6(), 64);
      if (hasV4(node)) {
        first = first.withV4(node.v4(), 24);
      }
      return switch (network) {
        case SERVICE -> List.of(routed(first, node), second("eth1", Network.MANAGEMENT, node));
        case RACK1, RACK2 -> List.of(routed(first, node), second("ib0", Network.FABRIC, node));
        case MANAGEMENT -> List.of(routed(first, node));
        default -> List.of(first);
      };
    }

    private Card routed(Card card, NodeAddress node) {
      Card routed = card.with("route add default via " + node.network().v6(Network.ROUTER));
      return hasV4(node)
          ? routed.with("route add default via " + node.network().v4(Network.ROUTER))
          : routed;
    }

    private Card second(String device, Network network, NodeAddress node) {
      return new Card(device, network.bridge())
          .withV4(network.v4(node.host()), 24)
          .withV6(network.v6(node.host()), 64);
    }

    @Override
    boolean hasV4(NodeAddress node) {
      return !node.equals(NodeAddress.gate(2));
    }

    @Override
    String hostName(NodeAddress node) {
      return "%s.%s.site.example".formatted(node.name(), node.network().bridge());
    }

    @Override
    String nodeNetworks() {
      return "node_networks: [%s/24, \"%s/64\", %s/24, \"%s/64\"]\n"
          .formatted(
              Network.FABRIC.v4(0),
              Network.FABRIC.v6(0),
              Network.MANAGEMENT.v4(0),
              Network.MANAGEMENT.v6(0));
    }

    @Override
    List<String> moreHosts(NodeAddress node) {
      return switch (node.network()) {
        case SERVICE ->
            List.of(
                Network.MANAGEMENT.v4(node.host()) + " login-mgmt",
                Network.CAMPUS.v4(Network.ROUTER) + " " + NodeAddress.LOGIN_FROM_CAMPUS);
        case RACK1, RACK2 ->
            List.of(
                node.v4Fabric() + " " + node.nameFabric(),
                Network.FABRIC.v6(node.host()) + " " + node.nameFabric() + "-6");
        default -> List.of();
      };
    }

    @Override
    List<NodeAddress> outside() {
      return List.of(NodeAddress.CAMPUS);
    }
  };

  private static final String ALL = "nodes";

  private static final List<Network> ROUTED =
      List.of(Network.SERVICE, Network.MANAGEMENT, Network.RACK1, Network.RACK2, Network.CAMPUS);

  /** The lines of {@code ip -batch} that make the bridges, and the router's addresses on them. */
  abstract List<String> bridges();

  /** The router's rules for nft(8), which translate addresses; empty without any. */
  abstract String nat();

  /** The network cards of a node, without that of the gateways' own network. */
  abstract List<Card> cards(NodeAddress node);

  /** Whether a node has its IPv4 address: all have the other one. */
  abstract boolean hasV4(NodeAddress node);

  /** The host name, whose first part is the node's name. */
  abstract String hostName(NodeAddress node);

  /**
   * The gateways' key for networks in which nodes' second addresses are, in no certificate; empty
   * without any.
   */
  abstract String nodeNetworks();

  /** Lines of hosts(5) for the addresses of a node beside the first ones. */
  abstract List<String> moreHosts(NodeAddress node);

  /** Hosts that are no part of the cluster. */
  abstract List<NodeAddress> outside();

  /** The lines of hosts(5) for a node. */
  List<String> hosts(NodeAddress node) {
    String names = String.join(" ", names(node));
    var lines = new ArrayList<String>();
    if (hasV4(node)) {
      lines.add(node.v4() + " " + names);
      lines.add(node.v6() + " " + node.nameV6());
    } else {
      lines.add(node.v6() + " " + names + " " + node.nameV6());
    }
    lines.addAll(moreHosts(node));
    return lines;
  }

  /** The host name, and the node's name if it is another. */
  List<String> names(NodeAddress node) {
    return Stream.of(hostName(node), node.name()).distinct().toList();
  }

  /** Where others reach a port of a node: {@code 10.77.9.2:7450} or {@code [fd77:9::3]:7450}. */
  String endpoint(NodeAddress node, int port) {
    return (hasV4(node) ? node.v4() : "[" + node.v6() + "]") + ":" + port;
  }

  /** Snooping would delay neighbour solicitations until a querier exists, so for ever. */
  private static Stream<String> bridge(String name) {
    return Stream.of(
        "link add %s type bridge mcast_snooping 0".formatted(name),
        "link set %s up".formatted(name));
  }

  private static Stream<String> router(Network network) {
    return Stream.of(
        "addr add %s/24 dev %s".formatted(network.v4(Network.ROUTER), network.bridge()),
        "addr add %s/64 dev %s nodad".formatted(network.v6(Network.ROUTER), network.bridge()));
  }

  /** Reads {@code flat} or {@code site}. */
  public static Topology of(String word) {
    return Stream.of(values())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("'" + word + "' is no shape: flat or site can be"));
  }
}
