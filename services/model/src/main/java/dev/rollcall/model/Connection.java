package dev.rollcall.model;

/** A connection as one of its two ends sees it. */
public record Connection(Protocol protocol, Endpoint local, Endpoint remote) {
  public Connection {
    if (local.address().getAddress().length != remote.address().getAddress().length) {
      throw new IllegalArgumentException(
          local + " and " + remote + " are not of one address family");
    }
  }

  public static Connection tcp(Endpoint local, Endpoint remote) {
    return new Connection(Protocol.TCP, local, remote);
  }

  /** The same connection as the other end sees it. */
  public Connection flipped() {
    return new Connection(protocol, /* local= */ remote, /* remote= */ local);
  }

  @Override
  public String toString() {
    return protocol.name().toLowerCase(java.util.Locale.ROOT) + " " + local + " -> " + remote;
  }
}
