package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Context;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/** Who is at the other end of the connection on which a call came, as the kernel or TLS knows. */
public sealed interface Peer {
  /** Set while a service's code runs for a call. */
  Context.Key<Peer> KEY = Context.key("rollcall-peer");

  /**
   * A process of this machine, on a unix socket. The pid may since have ended and be another's.
   *
   * @param gid the primary group alone
   */
  record Local(int pid, int uid, int gid) implements Peer {}

  /**
   * The holder of a certificate of the CA.
   *
   * @param commonName of the subject, empty if it has none
   * @param addresses the IP addresses among the subject's alternative names
   * @param names the DNS names among them
   * @param uris the URIs among them, as they are written there
   */
  record Certified(
      String commonName, Set<InetAddress> addresses, Set<String> names, Set<String> uris)
      implements Peer {
    public Certified {
      requireNonNull(commonName, "commonName");
      addresses = Set.copyOf(addresses);
      names = Set.copyOf(names);
      uris = Set.copyOf(uris);
    }
  }

  /**
   * Whoever reached a TLS port and showed no certificate.
   *
   * @param address host:port, for people
   * @param binding what this connection alone has, in hex; absent if TLS gives none
   */
  record Uncertified(String address, Optional<String> binding) implements Peer {}

  /**
   * Whoever reached a TCP port without TLS, which only the loopback default offers.
   *
   * @param address host:port, for people
   */
  record Anonymous(String address) implements Peer {}

  /**
   * Whose memory the peer's requests and answers count for, over all its connections: the user, the
   * certificate, else the address without its port.
   */
  default Object account() {
    return switch (this) {
      case Local local -> "uid " + Integer.toUnsignedString(local.uid());
      case Certified certified -> certified;
      case Uncertified(String address, _) -> host(address);
      case Anonymous(String address) -> host(address);
    };
  }

  private static String host(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }

  /** The peer of the call for which this code runs. */
  static Peer current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }
}
