package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.Recorder;
import dev.rollcall.wire.grpc.Rig;
import dev.rollcall.wire.grpc.ScriptedRoll;
import dev.rollcall.wire.grpc.SmallServer;
import dev.rollcall.wire.grpc.TestPki;
import dev.rollcall.wire.grpc.Transport;
import dev.rollcall.wire.grpc.VertxSettings;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames of HTTP/2 that cost and ask for nothing, against a server of the agent's size. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameCreditTest {
  private static final int SETTINGS = 4;
  private static final int END_HEADERS = 4;
  private static final int GO_AWAY = 7;
  private static final int FLOOD = 3 * FrameCredit.AT_START;
  private static final boolean FULL = Counts.areFull();

  /** More than all credit that a connection may have. */
  private static final int MESSAGES = FULL ? 100_000 : 3 * FrameCredit.MOST;

  private static final int TRIES = FULL ? 100 : 4;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  @TempDir private static Path directory;
  private static SmallServer server;

  /** What a flood is made of; the stream 1 is open. */
  enum Kind {
    PRIORITY(2, 0, 1, "0000000001"),
    RST_STREAM(3, 0, 1, "00000000"),
    SETTINGS(4, 0, 0, ""),
    SETTINGS_ACK(4, 1, 0, ""),
    PING(6, 0, 0, "0000000000000000"),
    PING_ACK(6, 1, 0, "0000000000000000"),
    WINDOW_UPDATE(8, 0, 0, "00000001"),
    WINDOW_UPDATE_OF_A_STREAM(8, 0, 1, "00000001"),
    EMPTY_DATA(0, 0, 1, ""),
    SMALL_DATA(0, 0, 1, "00"),
    UNKNOWN(0x42, 0, 1, "00");

    private final int type;
    private final int flags;
    private final int stream;
    private final String content;

    Kind(int type, int flags, int stream, String content) {
      this.type = type;
      this.flags = flags;
      this.stream = stream;
      this.content = content;
    }

    byte[] frame() {
      return FrameCreditTest.frame(type, flags, stream, HexFormat.of().parseHex(content));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    server = SmallServer.start(directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void aFloodOfAUserEndsItsConnection(Kind kind) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (SocketChannel user =
          SocketChannel.open(UnixDomainSocketAddress.of(server.socket.toString()))) {
        flood(kind, Channels.newOutputStream(user));
        assertEnds(kind, Channels.newInputStream(user));
      }
    }
    assertAnswers();
  }

  @ParameterizedTest
  @EnumSource
  void aFloodByTlsEndsItsConnection(Kind kind) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      try (SSLSocket stranger = tls()) {
        flood(kind, stranger.getOutputStream());
        assertEnds(kind, stranger.getInputStream());
      }
    }
    assertAnswers();
  }

  private static EmbeddedChannel connection() {
    var connection = new EmbeddedChannel(new FrameCredit(_ -> {}));
    send(connection, PREFACE.getBytes(StandardCharsets.US_ASCII));
    return connection;
  }

  private static void send(EmbeddedChannel connection, byte[] bytes) {
    connection.writeInbound(Unpooled.wrappedBuffer(bytes));
    connection.releaseInbound();
  }

  @Test
  void pastCallsDoNotPayForAFlood() {
    EmbeddedChannel connection = connection();
    for (int call = 0; call < FrameCredit.MOST / 5; call++) {
      send(connection, frame(FrameHeaders.HEADERS, END_HEADERS, 1 + 2 * call, new byte[0]));
    }
    for (int i = 0; i < FrameCredit.MOST; i++) {
      send(connection, Kind.PING.frame());
    }
    assertTrue(connection.isOpen());
    for (int i = 0; i < FrameCredit.AT_START && connection.isOpen(); i++) {
      send(connection, Kind.PING.frame());
    }
    assertFalse(connection.isOpen());
  }

  @Test
  void trailersEarnNothing() {
    EmbeddedChannel connection = connection();
    for (int i = 0; i < FLOOD && connection.isOpen(); i++) {
      send(connection, frame(FrameHeaders.HEADERS, END_HEADERS, 1, new byte[0]));
    }
    assertFalse(connection.isOpen());
  }

  /** The frames behind an upgrade would not be seen. */
  @Test
  void http11IsNotUpgraded() throws IOException {
    try (SocketChannel user =
        SocketChannel.open(UnixDomainSocketAddress.of(server.socket.toString()))) {
      String request =
          String.join(
              "\r\n",
              "GET / HTTP/1.1",
              "Host: localhost",
              "Connection: Upgrade, HTTP2-Settings",
              "Upgrade: h2c",
              "HTTP2-Settings: AAMAAABkAAQAAP__",
              "",
              "");
      user.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      byte[] answer = Channels.newInputStream(user).readNBytes(12);
      assertEquals("HTTP/1.1 415", new String(answer, StandardCharsets.US_ASCII));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UNIX", "TLS"})
  void aStreamOfManyMessagesBothWaysStays(Transport transport) throws Exception {
    Path own = Files.createDirectory(directory.resolve(transport.name()));
    var service =
        new ScriptedRoll((_, stream) -> stream.onNext(ConnectResponse.getDefaultInstance()));
    try (var rig = new Rig(transport, own, KeepAlive.CALM, service)) {
      var answers = new Recorder<ConnectRequest, ConnectResponse>();
      StreamObserver<ConnectRequest> requests = rig.connect(rig.channel(), answers);
      ConnectRequest beat =
          ConnectRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();
      var underWay = new Semaphore(256);
      Thread sender =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < MESSAGES; i++) {
                  underWay.acquireUninterruptibly();
                  requests.onNext(beat);
                }
              });
      for (int i = 0; i < MESSAGES; i++) {
        answers.next();
        underWay.release();
      }
      sender.join();
      requests.onCompleted();
      assertTrue(answers.end().isOk());
    }
  }

  private static void flood(Kind kind, OutputStream out) throws IOException {
    var head = new ByteArrayOutputStream();
    head.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    head.write(frame(SETTINGS, 0, 0, new byte[0]));
    head.write(frame(FrameHeaders.HEADERS, END_HEADERS, 1, headers()));
    var many = new ByteArrayOutputStream();
    for (int i = 0; i < FLOOD; i++) {
      many.write(kind.frame());
    }
    out.write(head.toByteArray());
    try {
      many.writeTo(out);
      out.flush();
    } catch (IOException e) {
      assertTrue(
          String.valueOf(e.getMessage()).matches("(?i).*(reset|broken|closed).*"), e::toString);
    }
  }

  /** By our bound: the library would say why. It has a lower one for empty DATA. */
  private static void assertEnds(Kind kind, InputStream in) {
    try {
      while (true) {
        byte[] header = in.readNBytes(9);
        if (header.length < 9) {
          return;
        }
        assertTrue(header[3] != GO_AWAY || kind == Kind.EMPTY_DATA, "the library ended it");
        int first = (header[0] & 0xff) << 16;
        in.readNBytes(first | ((header[1] & 0xff) << 8) | (header[2] & 0xff));
      }
    } catch (IOException e) {
      assertTrue(
          String.valueOf(e.getMessage()).matches("(?i).*(reset|broken|closed).*"), e::toString);
    }
  }

  private static void assertAnswers() {
    assertTrue(server.isAlive());
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try {
      GrpcChannel channel = GrpcChannel.unix(vertx, server.socket, KeepAlive.CALM);
      assertEquals(
          IdentifyResponse.getDefaultInstance(),
          CallerIdServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(20, TimeUnit.SECONDS)
              .identify(IdentifyRequest.getDefaultInstance()));
    } finally {
      vertx.close().await();
    }
  }

  private static SSLSocket tls() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port);
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static byte[] frame(int type, int flags, int stream, byte[] content) {
    return ByteBuffer.allocate(9 + content.length)
        .put((byte) 0)
        .putShort((short) content.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(content)
        .array();
  }

  /** Of a call, as literals without an index (RFC 7541 section 6.2.2). */
  private static byte[] headers() {
    String[] pairs = {
      ":method", "POST",
      ":scheme", "http",
      ":path", "/rollcall.v1.CallerIdService/Identify",
      ":authority", "localhost",
      "content-type", "application/grpc",
      "te", "trailers"
    };
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < pairs.length; i++) {
      if (i % 2 == 0) {
        block.write(0);
      }
      block.write(pairs[i].length());
      block.writeBytes(pairs[i].getBytes(StandardCharsets.US_ASCII));
    }
    return block.toByteArray();
  }

  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
