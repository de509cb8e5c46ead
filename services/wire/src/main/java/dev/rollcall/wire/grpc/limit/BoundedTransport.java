package dev.rollcall.wire.grpc.limit;

import dev.rollcall.wire.memory.PeerConnections;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The native transport, and bounds for connections: on unix sockets for each user's, on TCP for
 * strangers', and for how many come at once; on each for frames that ask for nothing.
 */
public final class BoundedTransport implements Transport {
  /** Bytes that are read of a connection at once: at least, first, and at most. */
  private static final int LEAST_READ = 64;

  private static final int FIRST_READ = 2 << 10;
  private static final int MOST_READ = 16 << 10;
  private static final int READS_PER_TURN = 4;

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
    private final FailedHandshakes handshakes = new FailedHandshakes();
    private final AcceptedConnection.Each accepted =
        new AcceptedConnection.Each(new PeerConnections());
    private final Duration longest;

    Epoll(Duration longest) {
      this.longest = longest;
    }

    /** Connections that were ended for their frames, since the start. */
    public long endedForFrames() {
      return frames.ended();
    }

    public FailedHandshakes handshakes() {
      return handshakes;
    }

    /** TLS handshakes that failed, since the start. */
    public long failedHandshakes() {
      return handshakes.count();
    }

    /**
     * Admits only root and these users to a unix socket: others are closed at accept(2).
     *
     * @param bound the path at which the socket is bound
     */
    public void admitOnly(Path bound, IntPredicate users) {
      crowds.admitOnly(bound, users);
    }

    /** Gives a unix socket that is no server of Vert.x's its bounds, those of users and all. */
    public ServerBootstrap bound(ServerBootstrap bootstrap) {
      return bootstrap
          .childOption(ChannelOption.ALLOCATOR, EndingAllocator.ONE)
          .handler(
              new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel listening) {
                  PassedDescriptors.refuse(listening);
                  var _ = listening.pipeline().addLast(crowds, accepted);
                }
              });
    }

    /** Adds each connection that is accepted from now on to these. */
    public void addTo(PeerConnections connections) {
      accepted.addTo(connections);
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(config, domainSocket, bootstrap);
      var _ = bootstrap.childOption(ChannelOption.ALLOCATOR, EndingAllocator.ONE);
      var _ = bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, reads());
      var _ = bootstrap.handler(accepting(domainSocket));
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
      super.configure(config, domainSocket, bootstrap);
      var _ = bootstrap.option(ChannelOption.ALLOCATOR, EndingAllocator.ONE);
    }

    /**
     * What is read at once waits decrypted, and in parts of messages, too: each a buffer as large.
     */
    private static RecvByteBufAllocator reads() {
      return new AdaptiveRecvByteBufAllocator(LEAST_READ, FIRST_READ, MOST_READ)
          .maxMessagesPerRead(READS_PER_TURN);
    }

    private ChannelInitializer<Channel> accepting(boolean domainSocket) {
      return new ChannelInitializer<>() {
        @Override
        protected void initChannel(Channel listening) {
          ChannelPipeline pipeline = listening.pipeline();
          if (domainSocket) {
            PassedDescriptors.refuse(listening);
            var _ = pipeline.addLast(crowds, frames, accepted);
          } else {
            var _ = pipeline.addLast(new AcceptRate(longest), strangers, frames, accepted);
          }
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
