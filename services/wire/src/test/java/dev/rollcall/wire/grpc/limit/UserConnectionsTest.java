package dev.rollcall.wire.grpc.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections of a real user: those that are refused are closed, those that end are forgotten. */
@Tag("root")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserConnectionsTest {
  /** The server sends a byte to whom it admits. Prints how many were admitted. */
  private static final String PROGRAM =
      """
      import socket, sys
      def connected():
          user = socket.socket(socket.AF_UNIX)
          user.settimeout(60)
          user.connect(sys.argv[1])
          return user
      def admitted(user):
          try:
              return len(user.recv(1))
          except ConnectionResetError:
              return 0
      def one():
          with connected() as user:
              return admitted(user)
      if sys.argv[2] == 'in turn':
          print(sum(one() for _ in range(200)))
      else:
          print(sum(map(admitted, [connected() for _ in range(100)])))
      """;

  @Sharable
  private static final class Greeting extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      var _ = context.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
    }
  }

  @TempDir private Path directory;

  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private Path socket;

  @BeforeEach
  void listen() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    socket = directory.resolve("socket");
    new ServerBootstrap()
        .group(loop)
        .channel(EpollServerDomainSocketChannel.class)
        .handler(new UserConnectionLimit(uid -> uid))
        .childHandler(new Greeting())
        .bind(new DomainSocketAddress(socket.toString()))
        .sync();
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  @AfterEach
  void stop() {
    var _ = loop.shutdownGracefully();
  }

  private int admitted(String how) throws Exception {
    Process user =
        new ProcessBuilder(
                List.of(
                    "setpriv",
                    "--reuid=2001",
                    "--regid=2001",
                    "--clear-groups",
                    "/usr/bin/python3",
                    "-c",
                    PROGRAM,
                    socket.toString(),
                    how))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return Integer.parseInt(new String(user.getInputStream().readAllBytes(), UTF_8).strip());
  }

  @Test
  void aConnectionThatEndedMakesRoomForOne() throws Exception {
    assertEquals(200, admitted("in turn"));
  }

  @Test
  void connectionsBeyondTheLimitAreClosed() throws Exception {
    assertEquals(UserConnectionLimit.MOST_OF_A_USER, admitted("at once"));
    assertEquals(UserConnectionLimit.MOST_OF_A_USER, admitted("at once"));
  }
}
