package dev.rollcall.wire.grpc;

import dev.rollcall.model.Endpoint;
import dev.rollcall.wire.grpc.limit.AcceptedConnection;
import dev.rollcall.wire.grpc.limit.UnauthenticatedConnectionLimit;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Reads the {@link Peer} of a connection. */
final class Peers {
  /** Kinds of a subject's alternative names, RFC 5280 section 4.2.1.6. */
  private static final int URI = 6;

  private static final int IP_ADDRESS = 7;

  private Peers() {}

  static Peer of(HttpConnection connection) throws IOException {
    if (connection.isSsl()) {
      return secured(connection);
    }
    // Vert.x does not pass peer credentials on: they are asked of its channel.
    if (channel(connection) instanceof EpollDomainSocketChannel socket) {
      PeerCredentials credentials = socket.peerCredentials();
      return new Peer.Local(credentials.pid(), credentials.uid(), credentials.gids()[0]);
    }
    return new Peer.Anonymous(String.valueOf(connection.remoteAddress()));
  }

  private static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }

  /** What the other end showed, its own certificate first; empty if it showed none. */
  static List<X509Certificate> chain(HttpConnection connection) {
    if (!connection.isSsl()) {
      return List.of();
    }
    try {
      return Arrays.stream(connection.sslSession().getPeerCertificates())
          .map(X509Certificate.class::cast)
          .toList();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  /** The certificate that this side showed; empty if the other end asked for none. */
  static Optional<X509Certificate> shown(HttpConnection connection) {
    Certificate[] shown =
        connection.isSsl() ? connection.sslSession().getLocalCertificates() : null;
    return shown == null ? Optional.empty() : Optional.of((X509Certificate) shown[0]);
  }

  private static Peer secured(HttpConnection connection) throws SSLPeerUnverifiedException {
    List<X509Certificate> chain = chain(connection);
    if (chain.isEmpty()) {
      // The server's options say whether that is accepted.
      Channel channel = channel(connection);
      return new Peer.Uncertified(
          String.valueOf(connection.remoteAddress()),
          TlsBinding.of(connection.sslSession()),
          known -> {
            UnauthenticatedConnectionLimit.admit(channel);
            AcceptedConnection.prove(channel, known.kind(), known);
            return true;
          });
    }
    try {
      return certified(chain.getFirst());
    } catch (CertificateParsingException | InvalidNameException | IllegalArgumentException e) {
      var unverified = new SSLPeerUnverifiedException("unreadable names in the peer's certificate");
      unverified.initCause(e);
      throw unverified;
    }
  }

  static Peer.Certified certified(X509Certificate certificate)
      throws CertificateParsingException, InvalidNameException {
    String commonName =
        new LdapName(certificate.getSubjectX500Principal().getName())
            .getRdns().stream()
                .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
                .map(rdn -> String.valueOf(rdn.getValue()))
                .findFirst()
                .orElse("");
    Set<InetAddress> addresses = new HashSet<>();
    Set<String> uris = new HashSet<>();
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    for (List<?> name : alternatives == null ? List.<List<?>>of() : alternatives) {
      String value = String.valueOf(name.get(1));
      switch ((Integer) name.get(0)) {
        case URI -> uris.add(value);
        case IP_ADDRESS ->
            // Through Endpoint: written as everywhere else, v4-mapped as IPv4.
            addresses.add(new Endpoint(InetAddress.ofLiteral(value), 0).address());
        default -> {}
      }
    }
    return new Peer.Certified(commonName, addresses, uris, certificate.getNotAfter().toInstant());
  }
}
