package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.limit.AcceptedConnection;
import dev.rollcall.wire.grpc.limit.BoundedTransport;
import dev.rollcall.wire.grpc.limit.UnauthenticatedConnectionLimit;
import dev.rollcall.wire.memory.FirstLine;
import dev.rollcall.wire.memory.PeerKind;
import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsIdentity.Side;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Serves gRPC-java services on unix sockets and TCP ports. A connection that is lost, or whose
 * pings stay unanswered, cancels its calls (the call's {@link io.grpc.Context} and the service's
 * cancel handler); what a service throws becomes INTERNAL; a message over the limit is
 * RESOURCE_EXHAUSTED and one that cannot be read INTERNAL; {@link Peer#current()} tells who calls.
 *
 * <p>Services run on the event loop of their connection: they must not block. They may answer from
 * any thread.
 */
public final class GrpcServices {
  private static final System.Logger LOG = System.getLogger(GrpcServices.class.getName());
  private static final int FORBIDDEN = 403;
  private static final int UNAVAILABLE = 503;
  private static final long ENHANCE_YOUR_CALM = 0xb; // RFC 9113 section 7
  private static final int MESSAGES_IN_A_WRITE = 256;
  private static final int PAGE_STREAMS = 8;

  /** As HTTP/2 counts: names, values, and 32 bytes for each header (RFC 9113 section 6.5.2). */
  private static final int PAGE_HEADER_BYTES = 4 << 10;

  /** Whether clients without a certificate are let in; a wrong one never is. */
  public enum Certificates {
    REQUIRED(ClientAuth.REQUIRED),
    REQUESTED(ClientAuth.REQUEST);

    private final ClientAuth option;

    Certificates(ClientAuth option) {
      this.option = option;
    }
  }

  /**
   * A server that listens.
   *
   * @param port for port 0 the one that was chosen; -1 on a unix socket
   */
  public record Listening(int port, Supplier<Future<Void>> ending) {
    /** Ends its connections. */
    public Future<Void> close() {
      return ending.get();
    }
  }

  private final Vertx vertx;
  private final KeepAlive keepAlive;
  private final PeerBounds bounds;
  private final GrpcRequests server;
  private final Optional<OtherRequests> others;
  private final boolean pagesAlone;
  private final Map<HttpConnection, Link> links = new ConcurrentHashMap<>();

  /**
   * @param others answers what is not gRPC; absent: it is refused
   */
  public GrpcServices(
      Vertx vertx,
      List<ServerServiceDefinition> services,
      KeepAlive keepAlive,
      Optional<OtherRequests> others,
      PeerBounds bounds) {
    this.vertx = vertx;
    this.bounds = bounds;
    this.keepAlive = keepAlive;
    this.others = others;
    this.pagesAlone = services.isEmpty();
    server = new GrpcRequests(services);
  }

  /** Serves only pages, and no gRPC, with the same limits. */
  public static GrpcServices ofPages(
      Vertx vertx, KeepAlive keepAlive, OtherRequests pages, PeerBounds bounds) {
    return new GrpcServices(vertx, List.of(), keepAlive, Optional.of(pages), bounds);
  }

  /**
   * Listens on a TCP port. A port in use fails the future with a message that names it.
   *
   * @param tls absent: in clear, for loopback only
   * @throws IllegalArgumentException for another address in clear, or TLS files that cannot be used
   */
  public Future<Listening> listenTcp(
      String host, int port, Optional<TlsIdentity> tls, Certificates certificates) {
    HttpServerOptions options = options();
    PeerMachine.watch(options);
    if (tls.isEmpty()) {
      Plaintext.check(host, port);
    }
    tls.ifPresent(identity -> {
      identity.applyTo(options);
      options.setClientAuth(certificates.option);
    });
    return listenOnEachLoop(options, SocketAddress.inetSocketAddress(port, host), tls)
        .map(servers ->
            new Listening(
                servers.getFirst().actualPort(),
                () -> Future.join(servers.stream().map(HttpServer::close).toList()).mapEmpty()))
        .recover(e -> Future.failedFuture(cannotListen(host + ":" + port, e)));
  }

  /**
   * Listens on a unix socket, whose file appears with its mode already set. A socket without a
   * listening process is replaced; one with a listening process fails the future.
   *
   * @param mode as {@code rw-rw-rw-}
   */
  public Future<Listening> listenUnix(Path socket, String mode) {
    return new SocketFile(socket, mode)
        .listen(
            vertx,
            temporary ->
                listen(
                        options(),
                        SocketAddress.domainSocketAddress(temporary.toString()),
                        Optional.empty())
                    .map(http -> http::close));
  }

  /**
   * The same for root and some users: the connection of another is closed at accept(2), before a
   * byte of it is read.
   */
  public Future<Listening> listenUnix(Path socket, String mode, IntPredicate users) {
    transport().admitOnly(SocketFile.temporary(socket), users);
    return listenUnix(socket, mode);
  }

  private BoundedTransport.Epoll transport() {
    return (BoundedTransport.Epoll) ((VertxInternal) vertx).transport();
  }

  static IOException cannotListen(String where, Throwable cause) {
    return new IOException("cannot listen on " + where + ": " + cause.getMessage(), cause);
  }

  /**
   * A server has one event loop: as many as there are loops share the port, and take turns with its
   * connections. Port 0 cannot be shared.
   */
  private Future<List<HttpServer>> listenOnEachLoop(
      HttpServerOptions options, SocketAddress address, Optional<TlsIdentity> identity) {
    var internal = (VertxInternal) vertx;
    int loops = 0;
    for (var _ : internal.nettyEventLoopGroup()) {
      loops++;
    }
    Future<List<HttpServer>> listening =
        listen(options, address, identity).map(first -> List.of(first));
    for (int i = 1; i < loops && address.port() != 0; i++) {
      listening = listening.compose(servers -> listenToo(servers, options, address, identity));
    }
    return listening;
  }

  private Future<List<HttpServer>> listenToo(
      List<HttpServer> servers,
      HttpServerOptions options,
      SocketAddress address,
      Optional<TlsIdentity> identity) {
    Promise<HttpServer> next = Promise.promise();
    ((VertxInternal) vertx)
        .createEventLoopContext()
        .runOnContext(_ -> listen(options, address, identity).onComplete(next));
    return next.future()
        .map(server -> Stream.concat(servers.stream(), Stream.of(server)).toList())
        .onFailure(_ -> servers.forEach(HttpServer::close));
  }

  private Future<HttpServer> listen(
      HttpServerOptions options, SocketAddress address, Optional<TlsIdentity> identity) {
    var trusted = new TrustedPeers(identity, Side.CLIENT);
    return vertx
        .createHttpServer(options)
        .connectionHandler(connection -> {
          if (trusted.add(connection)) {
            connected(connection, trusted);
          }
        })
        .exceptionHandler(e -> transport().handshakes().failed(address.toString(), e))
        .requestHandler(this::handle)
        .listen(address);
  }

  /** First of all a request counts, or is reset: what waits for its answer holds its headers. */
  private void handle(HttpServerRequest request) {
    Link link = links.get(request.connection());
    if (link == null || !link.admits(request)) {
      refuse(request);
      return;
    }
    boolean grpc = GrpcRequests.isGrpc(request);
    Optional<String> objection = grpc ? bounds.objection().apply(request) : Optional.empty();
    Optional<String> shortage =
        bounds
            .memory()
            .connections()
            .objection(AcceptedConnection.kindOf(channel(request.connection())));
    if (objection.isPresent()) {
      request.response().setStatusCode(FORBIDDEN).end(objection.get());
    } else if (shortage.isPresent()) {
      refuse(request.response(), grpc, shortage.get());
    } else if (grpc || others.isEmpty()) {
      server.handle(request, link);
    } else {
      link.serve(request, others.get());
    }
  }

  /** Who reaches a service in clear, on loopback, is trusted. */
  private PeerKind kind(Peer peer) {
    return peer instanceof Peer.Anonymous && !pagesAlone
        ? PeerKind.PROTECTED
        : bounds.accounts().apply(peer).kind();
  }

  private static void refuse(HttpServerResponse response, boolean grpc, String why) {
    if (grpc) {
      GrpcStream.refuse(response, Status.RESOURCE_EXHAUSTED.withDescription(why));
    } else {
      response.setStatusCode(UNAVAILABLE).end(why + "\n");
    }
  }

  private static void refuse(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(ENHANCE_YOUR_CALM);
    } else {
      var _ = channel(request.connection()).close();
    }
  }

  /** A reader of pages asks for one after another: headers that wait are small in a small heap. */
  private Http2Settings settings() {
    var settings = new Http2Settings();
    return pagesAlone
        ? settings.setMaxConcurrentStreams(PAGE_STREAMS).setMaxHeaderListSize(PAGE_HEADER_BYTES)
        : settings.setMaxConcurrentStreams(PeerBounds.STREAMS);
  }

  private HttpServerOptions options() {
    long silence = keepAlive.every().plus(keepAlive.patience()).toMillis() * 2;
    return new HttpServerOptions()
        .setHttp2ClearTextEnabled(true)
        .setInitialSettings(settings())
        // Pings keep a living HTTP/2 connection busy; what says nothing at all is closed.
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setIdleTimeout((int) silence)
        .setTcpNoDelay(true)
        .setReuseAddress(true);
  }

  private void connected(HttpConnection connection, TrustedPeers trusted) {
    Peer peer;
    try {
      peer = Peers.of(connection);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "connection from " + connection.remoteAddress() + " refused", e);
      trusted.remove(connection);
      connection.close();
      return;
    }
    // Pages are had in no time: who needs long for them stays a stranger, and has to go.
    // One without a certificate stays a stranger until a call of it is recognised.
    if (peer instanceof Peer.Certified || !(pagesAlone || peer instanceof Peer.Uncertified)) {
      UnauthenticatedConnectionLimit.admit(channel(connection));
    }
    flushOnce(channel(connection));
    // HTTP/1.1 has no pings: a connection on which nothing is said is closed.
    boolean pings = connection.protocolVersion() == HttpVersion.HTTP_2;
    var link = new Link(vertx, peer, bounds);
    PeerKind kind = kind(peer);
    AcceptedConnection.prove(channel(connection), kind, link.account());
    if (!FirstLine.isOff()) {
      answersFirst(connection, link, pings);
    }
    if (bounds.memory().connections().objection(kind).isPresent()
        || !AcceptedConnection.count(channel(connection), link.memory())
        || !link.opened()) {
      trusted.remove(connection);
      // Vert.x's own close waits for the answers to what was pipelined.
      var _ = channel(connection).close();
      return;
    }
    if (pings) {
      link.pinged(Pinger.start(vertx, connection, keepAlive));
      ChannelHandlerContext http2 =
          channel(connection).pipeline().context(Http2ConnectionHandler.class);
      Http2Connection streams = ((Http2ConnectionHandler) http2.handler()).connection();
      streams.addListener(link);
      streams.addListener(new EndedStreams(http2));
    }
    links.put(connection, link);
    connection.exceptionHandler(
        e -> LOG.log(Level.DEBUG, "connection of {0}: {1}", peer, e.toString()));
    connection.closeHandler(_ -> {
      trusted.remove(connection);
      links.remove(connection);
      link.closed();
    });
  }

  /**
   * What is answered in one turn of the event loop goes out in one write, and in one TLS record:
   * else each message of a stream that is not answered at once takes one of its own.
   */
  private static void flushOnce(Channel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    var once = new FlushConsolidationHandler(MESSAGES_IN_A_WRITE, true);
    SslHandler tls = pipeline.get(SslHandler.class);
    if (tls == null) {
      pipeline.addFirst(once);
    } else {
      pipeline.addAfter(pipeline.context(tls).name(), "flush-once", once);
    }
  }

  /** What users of a node do not read of its unix socket is counted by their calls. */
  private static void answersFirst(HttpConnection connection, Link link, boolean http2) {
    ChannelPipeline pipeline = channel(connection).pipeline();
    if (!(channel(connection) instanceof DomainSocketChannel)) {
      pipeline.addFirst(new UnreadBytes(link));
    }
    if (!http2) {
      String last = ((HttpServerConnection) connection).channelHandlerContext().name();
      pipeline.addBefore(last, "one-answer-first", new OneAnswerFirst(link));
    }
  }

  private static Channel channel(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext().channel();
  }
}
