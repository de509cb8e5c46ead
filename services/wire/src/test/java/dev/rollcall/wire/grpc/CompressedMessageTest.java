package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages that are small on the wire and large in memory, against a server of the agent's size.
 */
class CompressedMessageTest {
  private static final int MIB = 1 << 20;
  private static final int TRIES = 100;
  private static final int CONNECTIONS = 4;

  private static final String UNIMPLEMENTED = "12";

  @TempDir private static Path directory;
  private static SmallServer server;
  private final List<HttpClient> clients = new ArrayList<>();
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());

  @BeforeAll
  static void start() throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    server = SmallServer.start(directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void close() {
    for (HttpClient client : clients) {
      client.shutdown(0, TimeUnit.SECONDS).await();
    }
    vertx.close().await();
  }

  @ParameterizedTest
  @CsvSource({"UNIX, 1", "UNIX, 20", "UNIX, 300", "TLS, 1", "TLS, 20", "TLS, 300"})
  void isRefusedWhateverIsInIt(Transport transport, int mebibytes) throws IOException {
    Buffer message = message(1, gzip(mebibytes));
    HttpClient client = client(transport);
    for (int i = 0; i < TRIES; i++) {
      MultiMap end = ask(client, transport, Map.of("grpc-encoding", "gzip"), message);
      assertEquals(UNIMPLEMENTED, end.get("grpc-status"));
    }
    assertAnswers(transport);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "GZIP", "identity, gzip", "identity,"})
  void noEncodingButIdentityIsTaken(String encoding) {
    var message = message(0, new byte[0]);
    MultiMap end =
        ask(client(Transport.UNIX), Transport.UNIX, Map.of("grpc-encoding", encoding), message);
    assertEquals(UNIMPLEMENTED, end.get("grpc-status"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/grpc-web", "application/grpc-web-text+proto"})
  void gRpcWebIsRefused(String type) {
    MultiMap end =
        ask(
            client(Transport.TLS),
            Transport.TLS,
            Map.of("content-type", type),
            message(0, new byte[0]));
    assertEquals("415", end.get(":status"));
  }

  @Test
  void noCompressionIsOffered() {
    var end = ask(client(Transport.UNIX), Transport.UNIX, Map.of(), message(0, new byte[0]));
    assertEquals("0", end.get("grpc-status"));
    assertNull(end.get("grpc-accept-encoding"));
  }

  private void assertAnswers(Transport transport) {
    assertTrue(server.isAlive());
    GrpcChannel channel = GrpcChannel.unix(vertx, server.socket, KeepAlive.CALM);
    assertEquals(
        IdentifyResponse.getDefaultInstance(),
        CallerIdServiceGrpc.newBlockingStub(channel).identify(IdentifyRequest.getDefaultInstance()),
        transport.name());
    channel.close().await();
  }

  /**
   * All headers and trailers of the answer. A connection without a certificate ends after 15 s,
   * which may be in the middle of a try: then another one is made.
   */
  private static MultiMap ask(
      HttpClient client, Transport transport, Map<String, String> headers, Buffer body) {
    for (int left = CONNECTIONS; left > 1; left--) {
      try {
        return askOnce(client, transport, headers, body);
      } catch (HttpClosedException e) {
        assertTrue(server.isAlive(), e::toString);
      }
    }
    return askOnce(client, transport, headers, body);
  }

  private static MultiMap askOnce(
      HttpClient client, Transport transport, Map<String, String> headers, Buffer body) {
    return client
        .request(request(transport))
        .compose(request -> {
          request.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
          headers.forEach(request::putHeader);
          return request.send(body);
        })
        .compose(response -> response.end().map(_ -> all(response)))
        .await();
  }

  private static MultiMap all(HttpClientResponse response) {
    MultiMap all = MultiMap.caseInsensitiveMultiMap().addAll(response.headers());
    return all.addAll(response.trailers()).add(":status", Integer.toString(response.statusCode()));
  }

  private HttpClient client(Transport transport) {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setSsl(transport == Transport.TLS)
                .setUseAlpn(transport == Transport.TLS)
                .setSslHandshakeTimeout(60) // seconds; both JVMs load what they need for the first
                .setTrustAll(true)
                .setVerifyHost(false));
    clients.add(client);
    return client;
  }

  private static RequestOptions request(Transport transport) {
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setURI("/" + CallerIdServiceGrpc.getIdentifyMethod().getFullMethodName())
            .setHost("127.0.0.1")
            .setPort(server.port);
    return transport == Transport.TLS
        ? options
        : options.setServer(SocketAddress.domainSocketAddress(server.socket.toString()));
  }

  private static Buffer message(int flag, byte[] payload) {
    return Buffer.buffer().appendByte((byte) flag).appendInt(payload.length).appendBytes(payload);
  }

  /** Of an unknown field that is so long: the tag, the length, zeros. */
  private static byte[] gzip(int mebibytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(0x7a);
      long length = (long) mebibytes * MIB;
      for (long rest = length; ; rest >>>= 7) {
        gzip.write((int) (rest < 0x80 ? rest : (rest & 0x7f) | 0x80));
        if (rest < 0x80) {
          break;
        }
      }
      byte[] zeros = new byte[MIB];
      for (int i = 0; i < mebibytes; i++) {
        gzip.write(zeros);
      }
    }
    return packed.toByteArray();
  }
}
