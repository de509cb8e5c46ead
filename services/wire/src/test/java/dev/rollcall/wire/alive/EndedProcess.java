package dev.rollcall.wire.alive;

import dev.rollcall.wire.grpc.VertxSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Vertx;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that goes wrong in the way that its first argument names. */
final class EndedProcess {
  private static final int CHUNK = 1 << 20;

  private static final List<ByteBuf> KEPT = new ArrayList<>();

  /** Kept, since one that is not reachable is closed. */
  private static @Nullable NetClient client;

  private EndedProcess() {}

  public static void main(String[] arguments) throws Exception {
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    switch (arguments[0]) {
      case "blocked" -> block(vertx);
      case "kept" -> keepBuffers(vertx);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    Thread.sleep(Duration.ofMinutes(1));
    System.exit(1);
  }

  private static void block(Vertx vertx) {
    WatchedPart loop = WatchedPart.loopsOf(vertx, "users").getFirst();
    var soon = new WatchedPart(loop.name(), loop.state(), loop.where(), 1, loop.stack());
    var _ = AnswerWatch.start(List.of(soon), Duration.ofMillis(100));
    vertx.runOnContext(_ -> {
      while (true) {
        Thread.onSpinWait();
      }
    });
  }

  /** As answers that a client does not read: buffers of a connection that stay. */
  private static void keepBuffers(Vertx vertx) {
    client = vertx.createNetClient();
    NetServer server =
        vertx
            .createNetServer()
            .connectHandler(EndedProcess::keepBuffers)
            .listen(0, "127.0.0.1")
            .await();
    var _ = client.connect(server.actualPort(), "127.0.0.1").await();
  }

  private static void keepBuffers(NetSocket socket) {
    ByteBufAllocator buffers =
        ((NetSocketInternal) socket).channelHandlerContext().channel().alloc();
    while (true) {
      KEPT.add(buffers.directBuffer(CHUNK));
    }
  }
}
