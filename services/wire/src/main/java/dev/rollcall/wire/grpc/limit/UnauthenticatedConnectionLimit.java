package dev.rollcall.wire.grpc.limit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Bounds TCP connections that have not shown who they are: how long they stay, and how many of them
 * come from one address; of a crowd the oldest goes. A client that shows a certificate, or speaks
 * HTTP/2 where there is no TLS, is a stranger no more; one of the metrics stays one.
 */
@Sharable
public final class UnauthenticatedConnectionLimit extends ChannelInboundHandlerAdapter {
  public static final int MOST_OF_AN_ADDRESS = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final AttributeKey<UnauthenticatedConnectionLimit> KEY =
      AttributeKey.valueOf("rollcall-strangers");

  /** In the order in which they came. */
  private final Map<InetAddress, LinkedHashSet<Channel>> crowds = new HashMap<>();

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (accepted instanceof SocketChannel connection && connection.remoteAddress() != null) {
      InetAddress address = connection.remoteAddress().getAddress();
      connection.attr(KEY).set(this);
      enter(address, connection);
      connection.closeFuture().addListener(_ -> leave(address, connection));
      var _ =
          context
              .executor()
              .schedule(() -> dismiss(connection), PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    context.fireChannelRead(accepted);
  }

  /** The peer of this connection is known. */
  public static void admit(Channel connection) {
    UnauthenticatedConnectionLimit among = connection.attr(KEY).getAndSet(null);
    if (among != null && connection instanceof SocketChannel known) {
      among.leave(known.remoteAddress().getAddress(), known);
    }
  }

  private static void dismiss(Channel connection) {
    if (connection.attr(KEY).get() != null) {
      var _ = connection.close();
    }
  }

  private void enter(InetAddress address, Channel connection) {
    Channel tooMuch = null;
    synchronized (this) {
      var crowd = crowds.computeIfAbsent(key(address), _ -> new LinkedHashSet<>());
      if (crowd.size() >= MOST_OF_AN_ADDRESS) {
        tooMuch = crowd.removeFirst();
      }
      crowd.add(connection);
    }
    if (tooMuch != null) {
      var _ = tooMuch.close();
    }
  }

  private synchronized void leave(InetAddress address, Channel connection) {
    crowds.computeIfPresent(
        key(address),
        (_, crowd) -> {
          crowd.remove(connection);
          return crowd.isEmpty() ? null : crowd;
        });
  }

  /** Anybody may call from any address of 127.0.0.0/8. */
  private static InetAddress key(InetAddress address) {
    return address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : address;
  }
}
