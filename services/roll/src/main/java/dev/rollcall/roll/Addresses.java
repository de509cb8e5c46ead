package dev.rollcall.roll;

import java.net.Inet6Address;
import java.net.InetAddress;

/** Classifies addresses. */
public final class Addresses {
  private Addresses() {}

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
