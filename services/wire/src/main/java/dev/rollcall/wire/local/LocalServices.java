package dev.rollcall.wire.local;

import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.limit.BoundedTransport;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves gRPC-java services by frames on a unix socket (docs/local-socket-protocol.md). A
 * connection that is lost cancels its call. {@link Peer#current()} is the user who asks.
 */
public final class LocalServices {
  private static final int READ_WITHIN_SECONDS = 5;

  private final VertxInternal vertx;
  private final List<ServerServiceDefinition> services;
  private final LocalConnection.Parts parts;

  /** Services run on the event loop of this context: they must not block. */
  public LocalServices(Vertx vertx, List<ServerServiceDefinition> services, PeerBounds bounds) {
    this.vertx = (VertxInternal) vertx;
    this.services = services;
    Map<String, ServerMethodDefinition<?, ?>> methods = new HashMap<>();
    services.stream()
        .flatMap(service -> service.getMethods().stream())
        .forEach(method -> methods.put(method.getMethodDescriptor().getFullMethodName(), method));
    parts = new LocalConnection.Parts(this.vertx.getOrCreateContext(), methods, bounds);
  }

  /**
   * Listens on a unix socket, whose file appears with its mode already set.
   *
   * @param mode as {@code rw-rw-rw-}
   */
  public Future<Listening> listen(Path socket, String mode) {
    ((BoundedTransport.Epoll) vertx.transport())
        .inFront(socket.resolveSibling(socket.getFileName() + ".new"), this::enter);
    return new GrpcServices(vertx, services, KeepAlive.CALM, Optional.empty(), parts.bounds())
        .listenUnix(socket, mode);
  }

  /** Serves a connection that was accepted. */
  private void enter(EpollDomainSocketChannel accepted) {
    try {
      PeerCredentials user = accepted.peerCredentials();
      var connection =
          new LocalConnection(
              parts, accepted, new Peer.Local(user.pid(), user.uid(), user.gids()[0]));
      var _ =
          accepted
              .config()
              .setAutoRead(false)
              .setRecvByteBufAllocator(new ExactReads(connection::wanted));
      var _ =
          accepted.pipeline().addFirst(new WriteTimeoutHandler(READ_WITHIN_SECONDS), connection);
    } catch (IOException e) {
      accepted.unsafe().closeForcibly();
    }
  }
}
