package dev.rollcall.wire.local;

import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.SocketFile;
import dev.rollcall.wire.grpc.limit.BoundedTransport;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.PeerCredentials;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves gRPC-java services by frames on a unix socket (docs/local-socket-protocol.md). A
 * connection that is lost cancels its call. {@link Peer#current()} is the user who asks.
 */
public final class LocalServices {
  private static final int BACKLOG = 1_024;
  private static final int READ_WITHIN_SECONDS = 5;
  private static final int REPLIES_IN_A_WRITE = 256;

  private final VertxInternal vertx;
  private final LocalConnection.Parts parts;

  /** Services run on the event loop of this context: they must not block. */
  public LocalServices(Vertx vertx, List<ServerServiceDefinition> services, PeerBounds bounds) {
    this.vertx = (VertxInternal) vertx;
    Map<String, ServerMethodDefinition<?, ?>> methods = new HashMap<>();
    services.stream()
        .flatMap(service -> service.getMethods().stream())
        .forEach(method -> methods.put(method.getMethodDescriptor().getFullMethodName(), method));
    ContextInternal context = this.vertx.getOrCreateContext();
    parts = new LocalConnection.Parts(context, methods, bounds, new RequestTurns(context));
  }

  /**
   * Listens on a unix socket, whose file appears with its mode already set.
   *
   * @param mode as {@code rw-rw-rw-}
   */
  public Future<Listening> listen(Path socket, String mode) {
    return new SocketFile(socket, mode).listen(vertx, this::bind);
  }

  private Future<SocketFile.Bound> bind(Path path) {
    ContextInternal context = parts.context();
    var open = new DefaultChannelGroup(context.nettyEventLoop());
    PromiseInternal<Void> bound = context.promise();
    ServerBootstrap bounded =
        ((BoundedTransport.Epoll) vertx.transport()).bound(new ServerBootstrap());
    Channel listening =
        bounded
            .group(context.nettyEventLoop())
            .channel(EpollServerDomainSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(entrance(open))
            .bind(new DomainSocketAddress(path.toFile()))
            .addListener(bound)
            .channel();
    return bound
        .future()
        .map(_ ->
            () -> {
              PromiseInternal<Void> closed = context.promise();
              listening.close().addListener(closed);
              var _ = open.close();
              return closed.future();
            });
  }

  private ChannelInitializer<EpollDomainSocketChannel> entrance(ChannelGroup open) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(EpollDomainSocketChannel accepted) throws IOException {
        PeerCredentials user = accepted.peerCredentials();
        var peer = new Peer.Local(user.pid(), user.uid(), user.gids()[0]);
        var connection = new LocalConnection(parts, accepted, peer);
        var _ =
            accepted
                .config()
                .setAutoRead(false)
                .setRecvByteBufAllocator(new ExactReads(connection::wanted));
        var _ =
            accepted
                .pipeline()
                .addLast(
                    new FlushConsolidationHandler(REPLIES_IN_A_WRITE, true),
                    new WriteTimeoutHandler(READ_WITHIN_SECONDS),
                    connection);
        var _ = open.add(accepted);
      }
    };
  }
}
