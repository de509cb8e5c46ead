package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PassedDescriptorsTest {
  private static final int EPERM = -1; // as netty says it

  @TempDir private Path directory;

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final MultiThreadIoEventLoopGroup clients =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
  }

  @Test
  void aUnixSocketTakesNoneWhereTheKernelCanRefuseThem() throws Exception {
    Path socket = directory.resolve("test.sock");
    new GrpcServices(vertx, List.of(), KeepAlive.CALM, Optional.empty(), PeerBounds.wide())
        .listenUnix(socket, "rw-rw-rw-")
        .toCompletionStage()
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
    Channel client =
        new Bootstrap()
            .group(clients)
            .channel(EpollDomainSocketChannel.class)
            .handler(new ChannelInboundHandlerAdapter())
            .connect(new DomainSocketAddress(socket.toFile()))
            .sync()
            .channel();
    FileDescriptor passed = FileDescriptor.from("/dev/null");
    Throwable cause = client.writeAndFlush(passed).await().cause();
    passed.close();
    assertEquals(
        refusable() ? Optional.of(EPERM) : Optional.empty(),
        Optional.ofNullable(cause).map(PassedDescriptorsTest::number));
  }

  private static int number(Throwable cause) {
    return cause instanceof Errors.NativeIoException failed ? failed.expectedErr() : 0;
  }

  /** Since Linux 6.16. */
  private static boolean refusable() throws IOException {
    MatchResult version =
        Pattern.compile("(\\d+)\\.(\\d+)")
            .matcher(System.getProperty("os.version"))
            .results()
            .findFirst()
            .orElseThrow();
    return Integer.parseInt(version.group(1)) * 100 + Integer.parseInt(version.group(2)) >= 616;
  }
}
