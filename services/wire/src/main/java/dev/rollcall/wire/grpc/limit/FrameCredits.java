package dev.rollcall.wire.grpc.limit;

import dev.rollcall.wire.grpc.limit.WholeFrames.Framing;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Gives each connection that is accepted its {@link FrameCredit} and, on TCP, {@link WholeFrames}
 * of TLS; logs those that they end.
 */
@Sharable
final class FrameCredits extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger(FrameCredits.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  private long ended;
  private long saidNanos = System.nanoTime() - QUIET_NANOS;

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (accepted instanceof Channel connection) {
      connection.pipeline().addFirst(new FrameCredit(this::ended));
      if (connection instanceof SocketChannel) {
        connection.pipeline().addFirst(new WholeFrames(Framing.TLS_RECORDS, this::ended));
      }
    }
    context.fireChannelRead(accepted);
  }

  /** Connections ended since the start. */
  synchronized long ended() {
    return ended;
  }

  private synchronized void ended(Channel connection) {
    ended++;
    if (System.nanoTime() - saidNanos >= QUIET_NANOS) {
      saidNanos = System.nanoTime();
      LOG.log(
          Level.WARNING,
          "connection of {0} ended: it sent far more HTTP/2 control frames, or TLS records without"
              + " content, than its calls need ({1} were ended since the start; logged at most once"
              + " a minute)",
          peer(connection),
          Long.toString(ended));
    }
  }

  private static String peer(Channel connection) {
    if (!(connection instanceof EpollDomainSocketChannel local)) {
      return String.valueOf(connection.remoteAddress());
    }
    try {
      return "uid " + Integer.toUnsignedString(local.peerCredentials().uid());
    } catch (IOException e) {
      return "a user (" + e.getMessage() + ")";
    }
  }
}
