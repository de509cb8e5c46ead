package dev.rollcall.settings;

/**
 * A host and a port.
 *
 * @param host a name or an address, without brackets
 */
public record HostPort(String host, int port) {
  private static final int LARGEST_PORT = 65_535;
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";

  /**
   * Reads {@code host:port} or {@code [address]:port}.
   *
   * @throws IllegalArgumentException naming the text, if it is neither
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException("'" + text + "': an IPv6 address goes in brackets");
    }
    String port = text.substring(colon + 1);
    if (!host.matches("[0-9A-Za-z._:%-]+") || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
    }
    if (Integer.parseInt(port) > LARGEST_PORT) {
      throw new IllegalArgumentException(
          "'" + text + "': port " + port + " is not within 0 to " + LARGEST_PORT);
    }
    return new HostPort(host, Integer.parseInt(port));
  }

  /**
   * Whether nobody outside this node is at the other end: a name that only begins with 127. is not.
   */
  public boolean loopback() {
    return host.equals("localhost")
        || host.equals("::1")
        || host.matches("127(\\." + OCTET + "){3}");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
