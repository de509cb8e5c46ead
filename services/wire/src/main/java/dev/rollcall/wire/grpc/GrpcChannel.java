package dev.rollcall.wire.grpc;

import dev.rollcall.wire.address.ServerHttpClient;
import dev.rollcall.wire.tls.ServerTrust;
import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsIdentity.Side;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientBuilder;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A channel for gRPC-java stubs to one server: one HTTP/2 connection, opened at the first call, and
 * again after a loss. Calls end exactly once and by their deadline at the latest; a server that is
 * not reached, or is lost, is UNAVAILABLE with its name and the cause.
 */
public final class GrpcChannel extends Channel {
  private static final System.Logger LOG = System.getLogger(GrpcChannel.class.getName());
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final HttpClient http;

  /** The library wants one: for TCP the client chooses another. */
  private final SocketAddress server;

  private final String name;
  private final TrustedPeers trusted;
  private volatile @Nullable NeededPeer connected;

  private GrpcChannel(
      Vertx vertx,
      SocketAddress server,
      String name,
      HttpClientOptions options,
      Optional<TlsIdentity> identity,
      KeepAlive keepAlive) {
    this.vertx = vertx;
    this.trusted = new TrustedPeers(identity, Side.SERVER);
    this.server = server;
    this.name = name;
    HttpClientBuilder clients =
        vertx
            .httpClientBuilder()
            .with(options)
            // The pool's cleaner would wake the process once a second.
            .with(new PoolOptions().setCleanerPeriod(0).setHttp2MaxSize(1))
            .withConnectHandler(connection -> connected(connection, keepAlive));
    this.http =
        server.isInetSocket()
            ? new ServerHttpClient(vertx, clients, server.host(), server.port())
            : clients.build();
  }

  public static GrpcChannel unix(Vertx vertx, Path socket, KeepAlive keepAlive) {
    return new GrpcChannel(
        vertx,
        SocketAddress.domainSocketAddress(socket.toString()),
        socket.toString(),
        options(),
        Optional.empty(),
        keepAlive);
  }

  /**
   * @param host a name or an address; with TLS it must be among those of the server's certificate
   * @param tls absent: in clear, to loopback only
   * @throws IllegalArgumentException for another address in clear, or TLS files that cannot be used
   */
  public static GrpcChannel tcp(
      Vertx vertx, String host, int port, Optional<TlsIdentity> tls, KeepAlive keepAlive) {
    HttpClientOptions options = options();
    if (tls.isEmpty()) {
      Plaintext.check(host, port);
    }
    tls.ifPresent(identity -> {
      identity.applyTo(options);
      options.setVerifyHost(true);
    });
    return tcp(vertx, host, port, options, tls, keepAlive);
  }

  /**
   * For a client that has no certificate.
   *
   * @param ca who signed the server's
   */
  public static GrpcChannel tcpUncertified(
      Vertx vertx, String host, int port, Path ca, KeepAlive keepAlive) {
    HttpClientOptions options =
        options()
            .setSsl(true)
            .setUseAlpn(true)
            .setVerifyHost(true)
            .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
            .setTrustOptions(ServerTrust.of(ca));
    return tcp(vertx, host, port, options, Optional.empty(), keepAlive);
  }

  private static GrpcChannel tcp(
      Vertx vertx,
      String host,
      int port,
      HttpClientOptions options,
      Optional<TlsIdentity> identity,
      KeepAlive keepAlive) {
    PeerMachine.watch(options);
    return new GrpcChannel(
        vertx,
        SocketAddress.inetSocketAddress(port, host),
        (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port,
        options,
        identity,
        keepAlive);
  }

  /**
   * Connects, if it is not connected, and tells what this TLS connection alone has, in hex; absent
   * without TLS. Calls go over that connection until it is lost.
   */
  public Future<Optional<String>> binding() {
    return http.request(new RequestOptions().setServer(server).setMethod(HttpMethod.POST))
        .map(request -> {
          Optional<String> binding =
              request.connection().isSsl()
                  ? TlsBinding.of(request.connection().sslSession())
                  : Optional.empty();
          request.reset();
          return binding;
        })
        .recover(e ->
            Future.failedFuture(
                Status.UNAVAILABLE
                    .withDescription("cannot reach " + name + ": " + e.getMessage())
                    .withCause(e)
                    .asRuntimeException()));
  }

  private static HttpClientOptions options() {
    return new HttpClientOptions()
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setHttp2ClearTextUpgrade(false)
        .setHttp2KeepAliveTimeout(0)
        .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis())
        .setTcpNoDelay(true);
  }

  private void connected(HttpConnection connection, KeepAlive keepAlive) {
    if (!trusted.add(connection)) {
      return;
    }
    Runnable stop = Pinger.start(vertx, connection, keepAlive);
    connected = new NeededPeer(vertx, connection);
    connection.closeHandler(_ -> {
      if (http instanceof ServerHttpClient to) {
        to.lost();
      }
      trusted.remove(connection);
      stop.run();
    });
    // Each open call reports the error itself.
    connection.exceptionHandler(
        e -> LOG.log(Level.DEBUG, "connection to {0}: {1}", name, e.toString()));
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return new GuardedClientCall<>(vertx, http, server, name, method, options);
  }

  /**
   * A login waits for the server: if it is connected and does not answer a ping within 3 s, the
   * connection is closed, so that its calls end.
   */
  public void need() {
    NeededPeer peer = connected;
    if (peer != null) {
      peer.need();
    }
  }

  /** Where it leads: the socket's path or host:port. */
  @Override
  public String authority() {
    return name;
  }

  /** Ends every call. */
  public Future<Void> close() {
    trusted.end();
    return http.close();
  }
}
