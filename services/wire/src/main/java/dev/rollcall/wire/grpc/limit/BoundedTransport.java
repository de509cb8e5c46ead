package dev.rollcall.wire.grpc.limit;

import dev.rollcall.wire.memory.PeerConnections;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The native transport, and bounds for connections: on unix sockets for each user's, on TCP for
 * strangers', and for how many come at once; on each for frames that ask for nothing.
 */
public final class BoundedTransport implements Transport {
  private final EpollTransport epoll;

  public BoundedTransport() {
    this(AcceptRate.LONGEST);
  }

  /**
   * @param longest that a TCP connection may wait in the backlog
   */
  BoundedTransport(Duration longest) {
    epoll = new Epoll(longest);
  }

  /** What Vert.x has of it. */
  public static final class Epoll extends EpollTransport {
    private final UserConnectionLimit crowds = new UserConnectionLimit(UidOwners.ofHost()::of);
    private final UnauthenticatedConnectionLimit strangers = new UnauthenticatedConnectionLimit();
    private final FrameCredits frames = new FrameCredits();
    private final Map<String, Consumer<EpollDomainSocketChannel>> inFront =
        new ConcurrentHashMap<>();
    private final AcceptedConnection.Each accepted =
        new AcceptedConnection.Each(new PeerConnections(new SimpleMeterRegistry()));
    private final Duration longest;

    Epoll(Duration longest) {
      this.longest = longest;
    }

    /** Connections that were ended for their frames, since the start. */
    public long endedForFrames() {
      return frames.ended();
    }

    /**
     * Shows each connection that the unix socket of this path accepts, before anything of it is
     * read.
     */
    public void inFront(Path bound, Consumer<EpollDomainSocketChannel> entrance) {
      inFront.put(bound.toString(), entrance);
    }

    /** Adds each connection that is accepted from now on to these. */
    public void addTo(PeerConnections connections) {
      accepted.addTo(connections);
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(config, domainSocket, bootstrap);
      var _ = bootstrap.childOption(ChannelOption.ALLOCATOR, EndingAllocator.ONE);
      var _ = bootstrap.handler(accepting(domainSocket));
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
      super.configure(config, domainSocket, bootstrap);
      var _ = bootstrap.option(ChannelOption.ALLOCATOR, EndingAllocator.ONE);
    }

    private ChannelInitializer<Channel> accepting(boolean domainSocket) {
      return new ChannelInitializer<>() {
        @Override
        protected void initChannel(Channel listening) {
          ChannelPipeline pipeline = listening.pipeline();
          if (domainSocket) {
            PassedDescriptors.refuse(listening);
            var _ = pipeline.addLast(crowds, frames, new Entrance(), accepted);
          } else {
            var _ = pipeline.addLast(new AcceptRate(longest), strangers, frames, accepted);
          }
        }
      };
    }

    private final class Entrance extends ChannelInboundHandlerAdapter {
      @Override
      public void channelRead(ChannelHandlerContext context, Object accepted) {
        var entrance = inFront.get(String.valueOf(context.channel().localAddress()));
        if (entrance != null) {
          entrance.accept((EpollDomainSocketChannel) accepted);
        }
        context.fireChannelRead(accepted);
      }
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
