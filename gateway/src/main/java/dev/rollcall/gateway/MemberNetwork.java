package dev.rollcall.gateway;

import dev.rollcall.model.AddressText;
import dev.rollcall.model.Prefix;
import dev.rollcall.roll.Addresses;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether a compute node could reach the member's port, as far as this machine shows. A
 * process that reaches it can read and write the roll. A node can reach it if the port is on an
 * address, an interface or an on-link prefix that agents use.
 *
 * @param links the machine's addresses, each with its interface and on-link prefix
 */
record MemberNetwork(List<Link> links) {
  /**
   * @param prefix how many bits of the address are the network's
   */
  record Link(String card, InetAddress address, int prefix) {
    boolean holds(InetAddress other) {
      return new Prefix(address, prefix).contains(other);
    }
  }

  private static final String REMEDY =
      ". Everyone who reaches this port can read and write the roll. Give the gateways a network of"
          + " their own. Or, if something else, such as a packet filter, admits only gateways to"
          + " the port, set 'member_network_is_protected: yes'";

  MemberNetwork {
    links = List.copyOf(links);
  }

  /** Reads the present addresses from the kernel. */
  static MemberNetwork here() throws IOException {
    var links = new ArrayList<Link>();
    for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
      card.getInterfaceAddresses()
          .forEach(at ->
              links.add(new Link(card.getName(), at.getAddress(), at.getNetworkPrefixLength())));
    }
    return new MemberNetwork(links);
  }

  /**
   * @param file of which the configuration was read
   * @throws BadConfigException saying what to write, if nodes could reach the port and the site has
   *     not said that something keeps them away
   */
  void check(GatewayConfig config, ConfigFile file) throws BadConfigException {
    InetAddress member = config.memberListen().address();
    if (config.memberNetworkIsProtected() || member.isLoopbackAddress()) {
      return;
    }
    if (!Addresses.isPrivate(member)) {
      throw refused(config, file, "is not a private address");
    }
    for (String host : List.of(config.listen().host(), config.advertise().host())) {
      for (InetAddress agents : resolved(host)) {
        Optional<String> how = shared(agents, member);
        if (how.isPresent()) {
          throw refused(config, file, how.get());
        }
      }
    }
  }

  private static BadConfigException refused(GatewayConfig config, ConfigFile file, String why) {
    return file.bad("member_listen", config.memberListen() + " " + why + REMEDY);
  }

  /** Names the address, interface or prefix that both use; empty if there is none. */
  private Optional<String> shared(InetAddress agents, InetAddress member) {
    if (agents.isLoopbackAddress()) {
      return Optional.empty();
    }
    if (agents.isAnyLocalAddress()) {
      return Optional.of("is one of the addresses for agents: 'listen' must name a single address");
    }
    if (agents.equals(member)) {
      return Optional.of("is also the address for agents");
    }
    return links.stream()
        .filter(link -> on(link, agents) && on(link, member))
        .findFirst()
        .map(link ->
            "is on "
                + link.card()
                + ", where agents connect to "
                + AddressText.of(agents)
                + ", or can be reached from there");
  }

  /** Whether an address belongs to the link's interface, or is a neighbour on it. */
  private boolean on(Link link, InetAddress address) {
    return link.holds(address)
        || links.stream()
            .anyMatch(own -> own.card().equals(link.card()) && own.address().equals(address));
  }

  /** A name that does not resolve here says nothing of this machine's networks. */
  private static List<InetAddress> resolved(String host) {
    try {
      return Arrays.asList(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }
}
