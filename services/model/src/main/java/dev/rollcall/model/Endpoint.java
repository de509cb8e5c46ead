package dev.rollcall.model;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * One end of a connection. A v4-mapped IPv6 address is the IPv4 address it maps, and a zone id is
 * dropped, so that both ends write an address alike.
 *
 * @param port 0 to 65535
 */
public record Endpoint(InetAddress address, int port) {
  /** Of IPv6 with an IPv4 address at its end, and a zone. */
  private static final int LONGEST_ADDRESS = 64;

  public Endpoint {
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("port " + port + " is not within 0 to 65535");
    }
    address = plain(address);
  }

  /** From 4 or 16 bytes in network order. */
  public static Endpoint of(byte[] address, int port) {
    return new Endpoint(addressOf(address), port);
  }

  /** From 4 or 16 bytes in network order; 16 bytes that map an IPv4 address give that address. */
  public static InetAddress addressOf(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length, e);
    }
  }

  /**
   * Reads {@code 10.0.0.1} or {@code fd77::1}. Names are not resolved, and an IPv4 address has all
   * of its four numbers.
   *
   * @throws IllegalArgumentException naming the text, if it is neither
   */
  public static InetAddress addressOf(String text) {
    boolean v4 = text.indexOf(':') < 0;
    if (text.length() > LONGEST_ADDRESS
        || (v4 && text.chars().filter(c -> c == '.').count() != 3)) {
      throw new IllegalArgumentException("'" + text + "' is no IPv4 or IPv6 address");
    }
    try {
      return plain(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is no IPv4 or IPv6 address", e);
    }
  }

  /**
   * Reads {@code 10.0.0.1:22} or {@code [fd77::1]:22}. Names are not resolved.
   *
   * @throws IllegalArgumentException naming the text, if it is neither
   */
  public static Endpoint parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("'" + text + "' is not ADDRESS:PORT");
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException("'" + text + "': an IPv6 address goes in brackets");
    }
    try {
      return new Endpoint(addressOf(host), Integer.parseInt(text.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is not ADDRESS:PORT", e);
    }
  }

  private static InetAddress plain(InetAddress address) {
    boolean named = address instanceof Inet6Address v6 && v6.getScopeId() != 0;
    return named ? addressOf(address.getAddress()) : address;
  }

  /** Whether the address never leaves its node: loopback or link-local. */
  public boolean staysOnNode() {
    return address.isLoopbackAddress() || address.isLinkLocalAddress();
  }

  @Override
  public String toString() {
    String host = AddressText.of(address);
    return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
  }
}
