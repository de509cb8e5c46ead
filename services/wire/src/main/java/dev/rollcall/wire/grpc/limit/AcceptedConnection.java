package dev.rollcall.wire.grpc.limit;

import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import dev.rollcall.wire.memory.PeerConnection;
import dev.rollcall.wire.memory.PeerConnections;
import dev.rollcall.wire.memory.PeerKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection from accept(2) on, as {@link PeerConnections} knows it. Its peer is a stranger until
 * {@link #prove} says who it is; on a unix socket it is known from the start whether it is root.
 * First in the connection's pipeline, where it counts the bytes that come.
 */
public final class AcceptedConnection extends ChannelInboundHandlerAdapter
    implements PeerConnection {
  private static final AttributeKey<AcceptedConnection> KEY =
      AttributeKey.valueOf("rollcall-accepted");

  private final Channel channel;
  private final PeerConnections connections;
  private volatile PeerKind kind;
  private volatile Object account;
  private final AtomicLong received = new AtomicLong();
  private Optional<HeldMemory> memory = Optional.empty();
  private long held;

  private AcceptedConnection(Channel channel, PeerConnections connections) {
    this.channel = channel;
    this.connections = connections;
    this.kind = initially(channel);
    this.account =
        channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : this;
  }

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Sharable
  static final class Each extends ChannelInboundHandlerAdapter {
    private volatile PeerConnections connections;

    Each(PeerConnections connections) {
      this.connections = connections;
    }

    void addTo(PeerConnections others) {
      connections = others;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      if (accepted instanceof Channel channel) {
        var connection = new AcceptedConnection(channel, connections);
        channel.attr(KEY).set(connection);
        channel.pipeline().addFirst(connection);
        Runnable closed = connections.opened(connection);
        channel.closeFuture().addListener(_ -> closed.run());
      }
      context.fireChannelRead(accepted);
    }
  }

  private static PeerKind initially(Channel channel) {
    if (!(channel instanceof EpollDomainSocketChannel local)) {
      return PeerKind.STRANGER;
    }
    try {
      return local.peerCredentials().uid() == 0 ? PeerKind.PROTECTED : PeerKind.USER;
    } catch (IOException e) {
      return PeerKind.STRANGER; // it has gone
    }
  }

  /**
   * The peer of this connection is known. Of several that share it, as behind a proxy, the one that
   * is refused last counts.
   */
  public static void prove(Channel channel, PeerKind kind, Object account) {
    AcceptedConnection connection = channel.attr(KEY).get();
    if (connection != null && kind.compareTo(connection.kind) >= 0) {
      connection.kind = kind;
      connection.account = account;
    }
  }

  /** The kind of the peer as far as it is known now. */
  public static PeerKind kindOf(Channel channel) {
    AcceptedConnection connection = channel.attr(KEY).get();
    return connection == null ? PeerKind.STRANGER : connection.kind;
  }

  /**
   * Counts what the connection holds, from now on, for its peer. False if the peer has no room for
   * that: the connection must be closed. On its event loop, as the methods below.
   */
  public static boolean count(Channel channel, HeldMemory in) {
    AcceptedConnection connection = channel.attr(KEY).get();
    if (connection == null || !in.take(MemoryUse.REQUEST, connection.held)) {
      return connection == null;
    }
    connection.memory = Optional.of(in);
    return true;
  }

  /** Bytes wait for others of the connection. False if its peer may hold no more. */
  static boolean hold(Channel channel, long bytes) {
    AcceptedConnection connection = channel.attr(KEY).get();
    if (connection != null
        && connection.memory.map(in -> in.take(MemoryUse.REQUEST, bytes)).orElse(true)) {
      connection.held += bytes;
      return true;
    }
    return connection == null;
  }

  /** Gives back what was held. */
  static void release(Channel channel, long bytes) {
    AcceptedConnection connection = channel.attr(KEY).get();
    if (connection != null) {
      connection.held -= bytes;
      connection.memory.ifPresent(in -> in.release(bytes));
    }
  }

  /** Whether the process is short of memory for peers of this kind. */
  static boolean isRefused(Channel channel) {
    AcceptedConnection connection = channel.attr(KEY).get();
    return connection != null && connection.connections.refuses(connection.kind);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      received.addAndGet(bytes.readableBytes());
      connections.active();
    }
    context.fireChannelRead(message);
  }

  @Override
  public PeerKind kind() {
    return kind;
  }

  @Override
  public Object account() {
    return account;
  }

  @Override
  public long received() {
    return received.get();
  }

  /** From the first handler on, so that TLS does not wait until a client has read. */
  @Override
  public void close() {
    channel
        .eventLoop()
        .execute(() -> {
          ChannelHandlerContext first = channel.pipeline().context(this);
          var _ = first == null ? channel.close() : first.close();
        });
  }
}
