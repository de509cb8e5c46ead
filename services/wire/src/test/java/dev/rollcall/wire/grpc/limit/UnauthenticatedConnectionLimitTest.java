package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnauthenticatedConnectionLimitTest {
  private static final int DEADLINE_MILLIS = 60_000;

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final List<Socket> open = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    vertx.close().await();
  }

  private int port() {
    NetServer server = vertx.createNetServer().connectHandler(_ -> {});
    return server.listen(0, "127.0.0.1").await().actualPort();
  }

  private Socket connect(String from, int port) throws IOException {
    var socket = new Socket();
    open.add(socket);
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), DEADLINE_MILLIS);
    socket.setSoTimeout(DEADLINE_MILLIS);
    return socket;
  }

  /** Whichever address of 127.0.0.0/8 they have. */
  @Test
  void ofACrowdTheOldestGoes() throws IOException {
    int port = port();
    Socket oldest = connect("127.0.0.1", port);
    for (int i = 0; i < UnauthenticatedConnectionLimit.MOST_OF_AN_ADDRESS; i++) {
      var _ = connect("127.0.0." + (1 + i % 9), port);
    }
    assertEquals(-1, oldest.getInputStream().read());
    Socket newest = open.getLast();
    newest.setSoTimeout(100);
    assertThrows(SocketTimeoutException.class, () -> newest.getInputStream().read());
  }

  @Test
  void whoSaysNothingGoesAfterAWhile() throws IOException {
    Socket silent = connect("127.0.0.1", port());
    assertEquals(-1, silent.getInputStream().read());
  }
}
