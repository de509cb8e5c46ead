package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.VertxSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.SocketChannel;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnauthenticatedConnectionLimitTest {
  private static final int DEADLINE_MILLIS = 60_000;

  /** A handshake message of type 1 with 7 bytes, in one record. */
  private static final byte[] HELLO = {22, 3, 1, 0, 11, 1, 0, 0, 7, 3, 3, 1, 2, 3, 4, 5};

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

  /** 256 addresses of a network of IPv6 had as many connections as a gateway has descriptors. */
  @Test
  void ofTooManyOfAllAddressesTheOldestOfTheLargestNetworkGoes() {
    var listening = new EmbeddedChannel(new UnauthenticatedConnectionLimit());
    listening.freezeTime();
    EmbeddedChannel neighbour = accept(listening, "2001:db8:0:2::1");
    EmbeddedChannel other = accept(listening, "10.0.0.1");
    var crowd = new ArrayList<EmbeddedChannel>();
    for (int i = 0; i < 40 * UnauthenticatedConnectionLimit.HALF; i++) {
      crowd.add(accept(listening, "2001:db8:0:1::" + (1 + i % 40)));
    }
    EmbeddedChannel newcomer = accept(listening, "10.0.0.2");
    assertTrue(neighbour.isOpen() && other.isOpen() && newcomer.isOpen());
    assertEquals(
        UnauthenticatedConnectionLimit.MOST - 3,
        crowd.stream().filter(EmbeddedChannel::isOpen).count());
    assertTrue(crowd.getLast().isOpen());
    // Those that have ended do not count.
    crowd.forEach(EmbeddedChannel::close);
    for (int i = 0; i < UnauthenticatedConnectionLimit.MOST - 3; i++) {
      var _ = accept(listening, "10.1.%d.%d".formatted(i >> 8, i & 255));
    }
    assertTrue(neighbour.isOpen());
    var _ = accept(listening, "10.0.0.3");
    assertFalse(neighbour.isOpen());
    listening.close();
  }

  /** Its timer kept each until 15 s were over: the connections of a flood are in no budget. */
  @Test
  void nothingOfAConnectionIsKeptWhenItHasEnded() {
    var listening = new EmbeddedChannel(new UnauthenticatedConnectionLimit());
    listening.freezeTime();
    EmbeddedChannel connection = accept(listening, "10.0.0.1");
    assertTrue(listening.runScheduledPendingTasks() > 0);
    var _ = connection.close();
    assertEquals(-1, listening.runScheduledPendingTasks());
    listening.close();
  }

  /** A connection from an address that this host need not have. */
  private static EmbeddedChannel accept(EmbeddedChannel listening, String from) {
    var connection = new EmbeddedChannel();
    var address = new InetSocketAddress(InetAddress.ofLiteral(from), 40_000);
    listening.writeInbound(
        Proxy.newProxyInstance(
            SocketChannel.class.getClassLoader(),
            new Class<?>[] {SocketChannel.class},
            (_, method, arguments) ->
                method.getName().equals("remoteAddress")
                    ? address
                    : method.invoke(connection, arguments)));
    return connection;
  }

  /** 4,800 a second of a user of a node pushed out the connection of that node's agent. */
  @Test
  void aHandshakeUnderWayIsNotClosedForConnectionsThatSendNothingOrTooLittle() {
    var listening = new EmbeddedChannel(new UnauthenticatedConnectionLimit());
    listening.freezeTime();
    EmbeddedChannel agent = accept(listening, "10.0.0.1");
    agent.writeInbound(Unpooled.wrappedBuffer(HELLO, 0, 6));
    agent.writeInbound(Unpooled.wrappedBuffer(HELLO, 6, HELLO.length - 6));
    List<byte[]> shapes =
        List.of(
            new byte[0],
            Arrays.copyOf(HELLO, HELLO.length - 1),
            // A record of one byte.
            new byte[] {22, 3, 3, 0, 1, 1},
            // A message of 16 MiB.
            new byte[] {22, 3, 3, 0, 9, 1, -1, -1, -1, 3, 3, 0, 0, 0},
            "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < 10_000; i++) {
      EmbeddedChannel flood = accept(listening, "10.0.0.1");
      flood.writeInbound(Unpooled.wrappedBuffer(shapes.get(i % shapes.size())));
    }
    assertTrue(agent.isOpen());
    assertEquals(HELLO.length, agent.<ByteBuf>readInbound().readableBytes() + rest(agent));
    // Whole messages, each of which the server answers, have the other half of the places.
    var others = new ArrayList<EmbeddedChannel>();
    for (int i = 0; i < UnauthenticatedConnectionLimit.HALF; i++) {
      others.add(accept(listening, "10.0.0.1"));
      others.getLast().writeInbound(Unpooled.wrappedBuffer(HELLO));
    }
    assertFalse(agent.isOpen());
    assertTrue(others.stream().allMatch(EmbeddedChannel::isOpen));
    listening.close();
  }

  private static int rest(EmbeddedChannel agent) {
    return agent.<ByteBuf>readInbound().readableBytes();
  }

  @Test
  void whoSaysNothingGoesAfterAWhile() throws IOException {
    Socket silent = connect("127.0.0.1", port());
    assertEquals(-1, silent.getInputStream().read());
  }
}
