package dev.rollcall.wire.grpc.limit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes TCP connections no faster than the event loops get to them, so that handshakes that have
 * begun are ended before others begin; the kernel's backlog keeps the rest. One that waited there
 * for long is given up: its client has gone, or goes before a handshake could end, and what is done
 * for it is lost to those who still wait. Without that a crowd of nodes that come back at once is
 * never served. For one channel that listens.
 */
final class AcceptRate extends ChannelInboundHandlerAdapter {
  /** Connections that no event loop has looked at yet. */
  static final int AT_ONCE = 16;

  /** Less than half of what an agent waits to be welcomed. */
  static final Duration LONGEST = Duration.ofSeconds(2);

  private static final System.Logger LOG = System.getLogger(AcceptRate.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  /** The kernel's states of a TCP socket that can be served: include/net/tcp_states.h. */
  private static final int TCP_ESTABLISHED = 1;

  private final Duration longest;
  private final AtomicInteger waiting = new AtomicInteger();
  private long givenUp;
  private long saidNanos = System.nanoTime() - QUIET_NANOS;

  /**
   * @param longest that a connection may have waited in the backlog
   */
  AcceptRate(Duration longest) {
    this.longest = longest;
  }

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (!(accepted instanceof EpollSocketChannel connection)) {
      context.fireChannelRead(accepted);
      return;
    }
    if (isLate(connection)) {
      // As it was never registered, nobody else closes it.
      connection.unsafe().closeForcibly();
      gaveUp();
      return;
    }
    context.fireChannelRead(accepted);
    Channel listening = context.channel();
    if (waiting.incrementAndGet() >= AT_ONCE) {
      var _ = listening.config().setAutoRead(false);
    }
    // The loop comes to this after what it has to do for the connections before.
    connection.eventLoop().execute(() -> lookedAt(listening));
  }

  private void lookedAt(Channel listening) {
    if (waiting.decrementAndGet() == 0) {
      listening.eventLoop().execute(() -> listening.config().setAutoRead(true));
    }
  }

  /** Data that came, or the connection itself, was there for so long; or its client has closed. */
  private boolean isLate(EpollSocketChannel connection) {
    EpollTcpInfo info = connection.tcpInfo();
    return info.state() != TCP_ESTABLISHED || info.lastDataRecv() > longest.toMillis();
  }

  /** On the event loop of what listens. */
  private void gaveUp() {
    givenUp++;
    if (System.nanoTime() - saidNanos >= QUIET_NANOS) {
      saidNanos = System.nanoTime();
      LOG.log(
          Level.WARNING,
          "more connections arrive than can be served: {0} were dropped since the start, because"
              + " they waited for {1} s or had closed (logged at most once a minute)",
          Long.toString(givenUp),
          Long.toString(longest.toSeconds()));
    }
  }
}
