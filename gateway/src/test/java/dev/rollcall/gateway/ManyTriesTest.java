package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import io.grpc.Status;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What ended a gateway once, again and again against one with little heap; its bounds are fractions
 * of it. Messages and bodies of each try have more bytes than the heap.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyTriesTest {
  private static final boolean FULL = Counts.areFull();

  /** Of what costs some milliseconds. */
  private static final int CHEAP = 100;

  /** Of what costs some hundred milliseconds. */
  private static final int DEAR = FULL ? 100 : 4;

  private static final int MANY = 100;
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static SmallGateway gateway;

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());

  @BeforeAll
  static void start() throws IOException {
    gateway = SmallGateway.start();
  }

  @AfterAll
  static void stop() throws IOException {
    gateway.close();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private static void assertAnswers() {
    Await.until("it answers, or has ended", PATIENCE, () -> status() == 200 || !gateway.isAlive());
    assertTrue(gateway.isAlive());
  }

  /** Of an answer to somebody else; -1 if there is none. */
  private static int status() {
    var question = URI.create("http://127.0.0.1:" + gateway.port + "/v1/nodes");
    try (var client = java.net.http.HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(question).build(), BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void compressedMessages() throws IOException {
    Buffer message = message(1, gzip(300));
    for (int i = 0; i < CHEAP; i++) {
      HttpClient client = client();
      String method = JobServiceGrpc.getListMethod().getFullMethodName();
      String status =
          request(client, method)
              .compose(request -> request.putHeader("grpc-encoding", "gzip").send(message))
              .compose(response -> response.end().map(_ -> response.getHeader("grpc-status")))
              .await();
      assertEquals("12", status);
      client.shutdown(0, TimeUnit.SECONDS).await();
    }
    assertAnswers();
  }

  @Test
  void messagesThatDoNotEnd() {
    String method = CallerIdServiceGrpc.getIdentifyManyMethod().getFullMethodName();
    Buffer begun =
        Buffer.buffer().appendByte((byte) 0).appendInt(MIB).appendBytes(new byte[MIB - 1]);
    for (int i = 0; i < DEAR; i++) {
      HttpClient client = client();
      var written = new ArrayList<Future<?>>();
      for (int stream = 0; stream < MANY; stream++) {
        Future<?> one = request(client, method).compose(request -> request.write(begun));
        written.add(Future.any(one, vertx.timer(1, TimeUnit.SECONDS)));
      }
      Future.join(written).otherwiseEmpty().await();
      client.shutdown(0, TimeUnit.SECONDS).await();
    }
    assertAnswers();
  }

  @Test
  void bodiesThatDoNotEnd() throws IOException {
    String head =
        """
        POST /v1/callers:identifyMany HTTP/1.1\r
        Host: localhost\r
        content-type: application/json\r
        content-length: 1048576\r
        \r
        """;
    byte[] request = (head + " ".repeat(MIB - 10)).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < DEAR; i++) {
      write(MANY, request);
    }
    assertAnswers();
  }

  /** A gateway held all answers at once, and was deaf for minutes. */
  @ParameterizedTest
  @ValueSource(strings = {"/openapi.json", "/console/js/cluster.js", "/LONG"})
  void answersThatAreNotRead(String path) throws IOException {
    String get = path.replace("LONG", "a".repeat(3_900));
    String request = "GET " + get + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    byte[] requests = request.repeat(126).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < DEAR / 4; i++) {
      write(256, requests);
    }
    assertAnswers();
  }

  @Test
  void questionsAboutTooManyJobs() {
    GrpcChannel channel =
        GrpcChannel.tcp(vertx, "127.0.0.1", gateway.port, Optional.empty(), KeepAlive.CALM);
    for (int i = 1; i <= CHEAP; i++) {
      // Those of the last second hold the node's share of the memory.
      assertNotEquals(Status.Code.OK, end(channel, i));
    }
    int epoch = CHEAP;
    long last = System.nanoTime() + PATIENCE.toNanos();
    do {
      epoch++;
      assertTrue(System.nanoTime() < last, "streams that ended still hold the node's memory");
    } while (end(channel, epoch) != Status.Code.INVALID_ARGUMENT);
    channel.close().await();
    assertAnswers();
  }

  /** How the node's stream ends that says too much once more. */
  private static Status.Code end(GrpcChannel channel, int epoch) {
    var node = new FakeAgent(channel, "node1", "10.0.0.1").epoch(epoch);
    node.say(node.hello());
    node.say(question());
    return node.end().getCode();
  }

  private static ConnectRequest question() {
    return ConnectRequest.newBuilder()
        .setJobsQuestion(
            JobsQuestion.newBuilder().addAllJobIds(Collections.nCopies(20_000, Long.MAX_VALUE)))
        .build();
  }

  /**
   * As much of the bytes as the server and the kernel take at once, on each of some connections.
   */
  private static void write(int connections, byte[] bytes) throws IOException {
    var opened = new ArrayList<SocketChannel>();
    var left = new ArrayList<ByteBuffer>();
    var server = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port);
    try {
      for (int i = 0; i < connections; i++) {
        SocketChannel one = SocketChannel.open(server);
        one.configureBlocking(false);
        opened.add(one);
        left.add(ByteBuffer.wrap(bytes));
      }
      long last = System.nanoTime();
      while (System.nanoTime() - last < TimeUnit.MILLISECONDS.toNanos(100)) {
        for (int i = 0; i < connections; i++) {
          if (some(opened.get(i), left.get(i)) > 0) {
            last = System.nanoTime();
          }
        }
      }
    } finally {
      for (SocketChannel one : opened) {
        one.close();
      }
    }
  }

  private static int some(SocketChannel to, ByteBuffer bytes) {
    try {
      return to.write(bytes);
    } catch (IOException e) {
      return 0; // it closed the connection
    }
  }

  private static Future<HttpClientRequest> request(HttpClient client, String method) {
    return client
        .request(HttpMethod.POST, gateway.port, "127.0.0.1", "/" + method)
        .map(request ->
            request.putHeader("content-type", "application/grpc").putHeader("te", "trailers"));
  }

  private HttpClient client() {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false));
  }

  private static Buffer message(int flag, byte[] payload) {
    return Buffer.buffer().appendByte((byte) flag).appendInt(payload.length).appendBytes(payload);
  }

  private static byte[] gzip(int mebibytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      for (int i = 0; i < mebibytes; i++) {
        gzip.write(new byte[MIB]);
      }
    }
    return packed.toByteArray();
  }
}
