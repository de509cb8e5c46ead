package dev.rollcall.wire.grpc;

import dev.rollcall.wire.pace.UidOwners;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The native transport, and bounds for connections: on unix sockets for each user's, on TCP for
 * strangers', and for how many come at once.
 */
final class BoundedTransport implements Transport {
  private final EpollTransport epoll = new Epoll();

  private static final class Epoll extends EpollTransport {
    private final Crowds crowds = new Crowds(UidOwners.ofHost()::of);
    private final Strangers strangers = new Strangers();

    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(config, domainSocket, bootstrap);
      var _ = bootstrap.handler(domainSocket ? crowds : arriving());
    }

    private ChannelInitializer<Channel> arriving() {
      return new ChannelInitializer<>() {
        @Override
        protected void initChannel(Channel listening) {
          var _ = listening.pipeline().addLast(new Arrivals(), strangers);
        }
      };
    }
  }

  @Override
  public String name() {
    return "epoll";
  }

  @Override
  public boolean available() {
    return epoll.isAvailable();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return epoll.unavailabilityCause();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return epoll;
  }
}
