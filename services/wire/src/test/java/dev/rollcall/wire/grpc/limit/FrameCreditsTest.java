package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The connections that were ended for their frames are counted. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameCreditsTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final byte[] PRIORITY = {0, 0, 5, 2, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0};

  @TempDir private Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void eachConnectionThatIsEndedIsCounted() throws IOException {
    var registry = new SimpleMeterRegistry();
    VertxSettings.countEnded(vertx, registry);
    var services =
        new GrpcServices(
            vertx,
            List.of(),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.ofAgent(PeerBounds.agentMemory(registry)));
    Path socket = directory.resolve("users.sock");
    services.listenUnix(socket, "rw-rw-rw-").await();
    assertEquals(0, ended(registry));
    for (int connections = 1; connections <= 3; connections++) {
      flood(socket);
      assertEquals(connections, ended(registry));
    }
  }

  private static double ended(SimpleMeterRegistry registry) {
    return registry.get("rollcall.peer.frames.ended").functionCounter().count();
  }

  /** Returns when the connection has ended. */
  private static void flood(Path socket) throws IOException {
    try (SocketChannel user = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer frames =
          ByteBuffer.allocate(
              PREFACE.length + SETTINGS.length + 2 * FrameCredit.AT_START * PRIORITY.length);
      frames.put(PREFACE).put(SETTINGS);
      while (frames.hasRemaining()) {
        frames.put(PRIORITY);
      }
      user.write(frames.flip());
      while (user.read(frames.clear()) >= 0) {}
    } catch (IOException e) {
      assertTrue(String.valueOf(e.getMessage()).matches("(?i).*(reset|broken).*"), e::toString);
    }
  }
}
