package dev.rollcall.wire.grpc;

import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsIdentity.Side;
import io.vertx.core.http.HttpConnection;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Holds the open connections whose peer is trusted by its certificate. At each check of this
 * process's TLS files it closes connections whose peer is no longer trusted, and a client's
 * connections whose own certificate was replaced by one with other names.
 */
final class TrustedPeers {
  private static final System.Logger LOG = System.getLogger(TrustedPeers.class.getName());

  private final Optional<TlsIdentity> identity;
  private final Side side;
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private final Runnable stop;

  /**
   * @param identity this side's; without, everybody is trusted
   */
  TrustedPeers(Optional<TlsIdentity> identity, Side side) {
    this.identity = identity;
    this.side = side;
    stop = identity.map(own -> own.onLook(this::look)).orElse(() -> {});
  }

  /**
   * Whether the connection may be used. A handshake that resumes an earlier session asks nobody
   * whether the certificate still holds, so this does.
   */
  boolean add(HttpConnection connection) {
    if (identity.isPresent()) {
      connections.add(connection);
      return keep(identity.get(), connection);
    }
    return true;
  }

  void remove(HttpConnection connection) {
    connections.remove(connection);
  }

  void end() {
    stop.run();
  }

  private void look() {
    identity.ifPresent(own -> connections.forEach(connection -> keep(own, connection)));
  }

  private boolean keep(TlsIdentity own, HttpConnection connection) {
    Optional<String> objection =
        own.objection(side, Peers.chain(connection)).or(() -> otherNames(own, connection));
    objection.ifPresent(why -> {
      connections.remove(connection);
      LOG.log(
          Level.WARNING, "the connection with {0} is closed: {1}", connection.remoteAddress(), why);
      // Else the next handshake could resume it, and show no certificate.
      connection.sslSession().invalidate();
      // Without waiting for the streams: a connected node's never end.
      connection.shutdown(0, TimeUnit.SECONDS);
    });
    return objection.isEmpty();
  }

  /** A server knows a client by the certificate of the handshake. */
  private Optional<String> otherNames(TlsIdentity own, HttpConnection connection) {
    return side == Side.SERVER && Peers.shown(connection).filter(own::hasOtherNames).isPresent()
        ? Optional.of("this side's certificate was replaced by one with other names")
        : Optional.empty();
  }
}
