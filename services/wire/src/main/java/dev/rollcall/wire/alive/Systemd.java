package dev.rollcall.wire.alive;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Tells systemd what it waits for, sd_notify(3): one datagram to the socket it names. */
public final class Systemd {
  private static final System.Logger LOG = System.getLogger(Systemd.class.getName());

  private Systemd() {}

  /**
   * Tells systemd, if it started this process and asked.
   *
   * @param state {@code READY=1} or {@code WATCHDOG=1}
   */
  public static void tell(Vertx vertx, String state) {
    tell(vertx, Optional.ofNullable(System.getenv("NOTIFY_SOCKET")), state);
  }

  /**
   * @param socket of {@code NOTIFY_SOCKET}
   */
  static void tell(Vertx vertx, Optional<String> socket, String state) {
    if (socket.isEmpty()) {
      return;
    }
    // "@name" is a socket in the abstract namespace, whose name begins with a zero byte.
    String path = socket.get().replaceFirst("^@", "\0");
    new Bootstrap()
        .group(((VertxInternal) vertx).nettyEventLoopGroup())
        .channel(EpollDomainDatagramChannel.class)
        .handler(new ChannelInboundHandlerAdapter())
        // An unconnected one is not active for netty, which then drops what is written.
        .connect(new DomainSocketAddress(path))
        .addListener((ChannelFutureListener) connected -> told(connected, state));
  }

  private static void told(ChannelFuture connected, String state) {
    if (!connected.isSuccess()) {
      silent(connected.cause());
      return;
    }
    connected
        .channel()
        .writeAndFlush(Unpooled.copiedBuffer(state, StandardCharsets.UTF_8))
        .addListener(written -> {
          if (!written.isSuccess()) {
            silent(written.cause());
          }
          var _ = connected.channel().close();
        });
  }

  /** systemd then ends this process when its patience does: the log should say why. */
  private static void silent(Throwable cause) {
    LOG.log(System.Logger.Level.WARNING, "systemd could not be notified: " + cause);
  }
}
