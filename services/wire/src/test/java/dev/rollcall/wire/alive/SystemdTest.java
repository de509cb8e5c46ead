package dev.rollcall.wire.alive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.wire.grpc.VertxSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemdTest {
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void hearsThatTheAgentIsReadyOnASocketOfThatName(@TempDir Path folder) throws Exception {
    String path = folder.resolve("notify").toString();
    listen(path);

    Systemd.tell(vertx, Optional.of(path), "READY=1");

    assertEquals("READY=1", heard.poll(60, TimeUnit.SECONDS));
  }

  @Test
  void hearsItInTheAbstractNamespaceToo() throws Exception {
    String name = "rollcall-notify-" + ProcessHandle.current().pid();
    listen("\0" + name);

    Systemd.tell(vertx, Optional.of("@" + name), "READY=1");

    assertEquals("READY=1", heard.poll(60, TimeUnit.SECONDS));
  }

  private void listen(String path) throws Exception {
    Channel channel =
        new Bootstrap()
            .group(((VertxInternal) vertx).nettyEventLoopGroup())
            .channel(EpollDomainDatagramChannel.class)
            .handler(
                new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                  @Override
                  protected void channelRead0(ChannelHandlerContext on, DomainDatagramPacket got) {
                    heard.add(got.content().toString(StandardCharsets.UTF_8));
                  }
                })
            .bind(new DomainSocketAddress(path))
            .sync()
            .channel();
    assertEquals(true, channel.isActive());
  }
}
