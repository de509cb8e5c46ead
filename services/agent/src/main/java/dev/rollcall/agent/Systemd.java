package dev.rollcall.agent;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Tells systemd what it waits for, sd_notify(3): one datagram to the socket it names. */
final class Systemd {
  private Systemd() {}

  /**
   * Tells it, if it asked.
   *
   * @param socket of {@code NOTIFY_SOCKET}
   * @param state as {@code READY=1}
   */
  static void tell(Vertx vertx, Optional<String> socket, String state) {
    if (socket.isEmpty()) {
      return;
    }
    // "@name" is a socket in the abstract namespace, whose name begins with a zero byte.
    String path = socket.get().replaceFirst("^@", "\0");
    var packet =
        new DomainDatagramPacket(
            Unpooled.copiedBuffer(state, StandardCharsets.UTF_8), new DomainSocketAddress(path));
    new Bootstrap()
        .group(((VertxInternal) vertx).nettyEventLoopGroup())
        .channel(EpollDomainDatagramChannel.class)
        .handler(new ChannelInboundHandlerAdapter())
        .register()
        .addListener(
            (ChannelFutureListener)
                registered ->
                    registered
                        .channel()
                        .writeAndFlush(packet)
                        .addListener(ChannelFutureListener.CLOSE));
  }
}
