package dev.rollcall.roll;

import dev.rollcall.model.Endpoint;
import dev.rollcall.port.Roll.NodeDescription;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.stream.Collectors;

/** Removes zones from addresses, and classifies addresses. */
public final class Addresses {
  private Addresses() {}

  /** The same, with addresses that carry no zone: a zone means nothing on another node. */
  static NodeDescription plain(NodeDescription said) {
    return new NodeDescription(
        said.epoch(),
        said.addresses().stream()
            .map(a -> Endpoint.addressOf(a.getAddress()))
            .collect(Collectors.toSet()),
        said.gateway(),
        said.version(),
        said.callSource());
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
