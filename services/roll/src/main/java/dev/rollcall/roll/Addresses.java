package dev.rollcall.roll;

import dev.rollcall.model.Endpoint;
import dev.rollcall.port.Roll.NodeDescription;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Set;
import java.util.stream.Collectors;

/** Removes zones from addresses, and classifies addresses. */
public final class Addresses {
  private Addresses() {}

  /** The same, with addresses that carry no zone: a zone means nothing on another node. */
  static NodeDescription plain(NodeDescription said) {
    return new NodeDescription(
        said.epoch(),
        plain(said.addresses()),
        said.gateway(),
        said.version(),
        said.callSource(),
        plain(said.reported()),
        plain(said.reserved()));
  }

  private static Set<InetAddress> plain(Set<InetAddress> addresses) {
    return addresses.stream()
        .map(address -> Endpoint.addressOf(address.getAddress()))
        .collect(Collectors.toSet());
  }

  /** Loopback, link-local, RFC 1918 or fc00::/7 (RFC 4193). */
  public static boolean isPrivate(InetAddress address) {
    boolean uniqueLocal =
        address instanceof Inet6Address && (address.getAddress()[0] & 0xfe) == 0xfc;
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || uniqueLocal;
  }
}
