package dev.rollcall.wire.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many connections one user has to the unix sockets of this process, at accept(2): each
 * costs memory and a descriptor before its first byte, and a user may open more than a process
 * bears. Root is not bounded.
 */
@Sharable
final class Crowds extends ChannelInboundHandlerAdapter {
  static final int MOST_OF_A_USER = 64;

  private static final System.Logger LOG = System.getLogger(Crowds.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  private final Map<Integer, Integer> open = new HashMap<>();
  private long refused;
  private long saidNanos = System.nanoTime() - QUIET_NANOS;

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (!(accepted instanceof EpollDomainSocketChannel connection) || admitted(connection)) {
      context.fireChannelRead(accepted);
    }
  }

  private boolean admitted(EpollDomainSocketChannel connection) {
    int uid;
    try {
      PeerCredentials peer = connection.peerCredentials();
      uid = peer.uid();
    } catch (IOException e) {
      close(connection);
      return false;
    }
    if (uid == 0) {
      return true;
    }
    if (!enter(uid)) {
      close(connection);
      return false;
    }
    connection.closeFuture().addListener(_ -> leave(uid));
    return true;
  }

  /** As it was never registered, nobody else closes it. */
  private static void close(Channel connection) {
    connection.unsafe().closeForcibly();
  }

  synchronized boolean enter(int uid) {
    int now = open.getOrDefault(uid, 0);
    if (now < MOST_OF_A_USER) {
      open.put(uid, now + 1);
      return true;
    }
    refused++;
    if (System.nanoTime() - saidNanos >= QUIET_NANOS) {
      saidNanos = System.nanoTime();
      LOG.log(
          Level.WARNING,
          "uid {0} has {1} connections to unix sockets here: it gets no more"
              + " ({2} were refused since the start; said at most once a minute)",
          Integer.toUnsignedString(uid),
          Integer.toString(now),
          Long.toString(refused));
    }
    return false;
  }

  synchronized void leave(int uid) {
    open.computeIfPresent(uid, (_, now) -> now == 1 ? null : now - 1);
  }
}
