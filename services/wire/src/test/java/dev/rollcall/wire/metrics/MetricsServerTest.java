package dev.rollcall.wire.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.RoleUri.Role;
import dev.rollcall.testkit.log.LoggedLines;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.grpc.limit.FailedHandshakes;
import dev.rollcall.wire.tls.Issuing;
import dev.rollcall.wire.tls.TlsFiles;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real connections, to a node's certificate. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MetricsServerTest {
  private static final String TEXT = "text/plain";

  @TempDir private Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private volatile boolean ready = true;
  private volatile Optional<String> hung = Optional.empty();
  private final MetricsServer server =
      new MetricsServer(
          vertx,
          type -> "figures as " + type + "\n",
          () -> new HealthReport(ready, "text/plain", ready ? "ready" : "not yet"),
          () -> hung,
          new Readers("alps", Set.of("grafana")));

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private static String ask(Path socket, String path) throws IOException {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(
          ByteBuffer.wrap(
              "GET %s HTTP/1.1\r\nhost: node\r\nconnection: close\r\n\r\n"
                  .formatted(path)
                  .getBytes(StandardCharsets.US_ASCII)));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** Many large headers that waited ended an agent of 48 MiB by its metrics. */
  @Test
  void aConnectionHasFewRequestsAtOnceAndSmallHeaders() throws IOException {
    Path socket = directory.resolve("few.sock");
    server.listen(socket).await();
    try (SocketChannel http2 = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      http2.connect(UnixDomainSocketAddress.of(socket));
      String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
      http2.write(ByteBuffer.wrap(preface.getBytes(StandardCharsets.ISO_8859_1)));
      var frame = new DataInputStream(Channels.newInputStream(http2));
      int settings = frame.readInt() >>> 8; // a length of three bytes, and the type, 4
      frame.skipNBytes(5);
      var sent = new HashMap<Short, Integer>();
      for (int i = 0; i < settings / 6; i++) {
        sent.put(frame.readShort(), frame.readInt());
      }
      assertEquals(8, sent.get((short) 3)); // RFC 9113 section 6.5.2: concurrent streams
      assertEquals(4_096, sent.get((short) 6)); // bytes of a list of headers
    }
  }

  @Test
  void thePageIsCompressedForClientsThatAcceptIt() throws IOException {
    Path socket = directory.resolve("packed.sock");
    server.listen(socket).await();
    String packed = ask(socket, "/metrics HTTP/1.1\r\naccept-encoding: gzip\r\nx:");
    assertTrue(packed.contains("content-encoding: gzip\r\n"), packed);
    assertFalse(packed.contains("figures"), packed);
    assertFalse(ask(socket, "/metrics").contains("content-encoding"));
  }

  @Test
  void itIsNotAliveWhilePartOfItDoesNotAnswer() throws IOException {
    Path socket = directory.resolve("metrics.sock");
    server.listen(socket).await();
    assertTrue(ask(socket, "/health/live").startsWith("HTTP/1.1 200"));
    hung = Optional.of("event loop logins-0 has not answered for 10 s");
    String answer = ask(socket, "/health/live");
    assertTrue(answer.startsWith("HTTP/1.1 503"), answer);
    assertTrue(answer.endsWith("event loop logins-0 has not answered for 10 s\n"), answer);
  }

  @Test
  void aSocketIsForItsOwnerAloneAndGoesWithTheServer() throws IOException {
    Path socket = directory.resolve("not/there/yet/metrics.sock");
    Listening listening = server.listen(socket).await();
    assertEquals(
        PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(socket));
    assertTrue(
        ask(socket, "/metrics")
            .contains("figures as " + TEXT + "; version=0.0.4; charset=utf-8\n"));
    assertTrue(ask(socket, "/health/live").endsWith("live\n"));
    ready = false;
    String answer = ask(socket, "/health/ready");
    assertTrue(answer.startsWith("HTTP/1.1 503") && answer.endsWith("not yet\n"), answer);
    assertTrue(ask(socket, "/elsewhere").startsWith("HTTP/1.1 404"));
    listening.close().await();
    assertFalse(Files.exists(socket));
  }

  private MetricsServer withJobs(Function<String, Future<byte[]>> jobs) {
    return new MetricsServer(
        vertx,
        type -> type,
        Optional.of(jobs),
        () -> new HealthReport(true, "text/plain", "ready"),
        Optional::empty,
        new Readers("alps", Set.of()));
  }

  private static byte[] gzip(byte[] page) {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(page);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return packed.toByteArray();
  }

  /** Asks for the page of jobs; the answer is to be read. */
  private static SocketChannel jobs(Path socket, String header) throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    String request = "GET /metrics/jobs HTTP/1.1\r\nhost: n\r\n%sconnection: close\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.formatted(header).getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  /** The head of an answer, and its body without the lengths of its pieces. */
  private static Map.Entry<String, byte[]> answer(SocketChannel from) throws IOException {
    try (from) {
      byte[] all = Channels.newInputStream(from).readAllBytes();
      String text = new String(all, StandardCharsets.ISO_8859_1);
      int at = text.indexOf("\r\n\r\n") + 4;
      var body = new ByteArrayOutputStream();
      for (int size = 1, next = at; text.contains("chunked") && size > 0; next += size + 2) {
        int line = text.indexOf("\r\n", next);
        size = Integer.parseInt(text, next, line, 16);
        next = line + 2;
        body.write(all, next, size);
      }
      return Map.entry(text.substring(0, at), body.toByteArray());
    }
  }

  @Test
  void thePageOfJobsIsPackedForThoseWhoTakeItSo() throws IOException {
    Path socket = directory.resolve("jobs.sock");
    byte[] page = "rollcall_job_threads{job=\"1\"} 2\n".repeat(100_000).getBytes(UTF_8);
    withJobs(_ -> Future.succeededFuture(gzip(page))).listen(socket).await();
    Map.Entry<String, byte[]> plain = answer(jobs(socket, ""));
    assertTrue(plain.getKey().startsWith("HTTP/1.1 200"), plain.getKey());
    assertArrayEquals(page, plain.getValue());
    Map.Entry<String, byte[]> packed = answer(jobs(socket, "accept-encoding: br, gzip\r\n"));
    assertTrue(packed.getKey().contains("content-encoding: gzip"), packed.getKey());
    assertArrayEquals(gzip(page), packed.getValue());
  }

  @Test
  void scrapersAtOnceGetOnePageAndLaterOnesTheLast() throws IOException {
    Path socket = directory.resolve("jobs.sock");
    var made = new AtomicInteger();
    Promise<byte[]> page = Promise.promise();
    withJobs(
            _ -> {
              made.incrementAndGet();
              return page.future();
            })
        .listen(socket)
        .await();
    try (SocketChannel first = jobs(socket, "");
        SocketChannel second = jobs(socket, "")) {
      assertTrue(ask(socket, "/health/live").startsWith("HTTP/1.1 200"), "while it is made");
      page.complete(gzip(new byte[] {7}));
      assertArrayEquals(new byte[] {7}, answer(first).getValue());
      assertArrayEquals(new byte[] {7}, answer(second).getValue());
      assertArrayEquals(new byte[] {7}, answer(jobs(socket, "")).getValue());
    }
    assertEquals(1, made.get());
  }

  /** The page is kept for him alone, once others have a later one. */
  @Test
  void aClientThatDoesNotReadHoldsOnePageOfItsMemory() throws IOException {
    Path socket = directory.resolve("jobs.sock");
    byte[] page = new byte[700 << 10];
    new Random(1).nextBytes(page);
    withJobs(_ -> Future.succeededFuture(gzip(page))).listen(socket).await();
    try (SocketChannel unread = jobs(socket, "")) {
      ByteBuffer some = ByteBuffer.allocate(9);
      while (some.hasRemaining()) {
        assertTrue(unread.read(some) > 0);
      }
      Map.Entry<String, byte[]> refused = answer(jobs(socket, ""));
      assertTrue(refused.getKey().startsWith("HTTP/1.1 503"), refused.getKey());
    }
    Await.until("it is free again", () -> Arrays.equals(page, answerNow(socket)));
  }

  private static byte[] answerNow(Path socket) {
    try {
      return answer(jobs(socket, "")).getValue();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void withoutJobMetricsThereIsNoSuchPage() throws IOException {
    Path socket = directory.resolve("none.sock");
    server.listen(socket).await();
    String answer = ask(socket, "/metrics/jobs");
    assertTrue(answer.startsWith("HTTP/1.1 404"), answer);
    assertTrue(answer.endsWith("job_metrics is 'no' in this process's configuration\n"), answer);
  }

  @Test
  void inClearThereIsLoopbackAlone() {
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> server.listen("0.0.0.0", 0, Optional.empty(), Certificates.REQUIRED));
    assertEquals("0.0.0.0 port 0 is not on loopback, so TLS is required", refused.getMessage());
  }

  @Nested
  class ByTls {
    private int port(Issuing pki, Certificates certificates) throws Exception {
      var own = Optional.of(pki.issue(Role.NODE, "n1").identity("alps"));
      return server.listen("localhost", 0, own, certificates).await().port();
    }

    private HttpResponse<String> get(
        Issuing pki, Optional<TlsFiles> own, String path, String accept) throws Exception {
      int port = port(pki, Certificates.REQUIRED);
      return Browser.trusting(pki.files("n1").ca(), own).get(port, path, accept);
    }

    @ParameterizedTest
    @EnumSource(
        value = Role.class,
        names = {"ADMINISTRATOR", "MONITOR"})
    void whoRunsTheClusterReads(Role role) throws Exception {
      try (var pki = new Issuing(directory, "alps")) {
        var answer = get(pki, Optional.of(pki.issue(role, "prometheus")), "/metrics", "*/*");
        assertEquals(200, answer.statusCode());
        assertEquals("figures as text/plain; version=0.0.4; charset=utf-8\n", answer.body());
      }
    }

    @ParameterizedTest
    @EnumSource(
        value = Role.class,
        names = {"NODE", "GATEWAY", "SERVICE"})
    void othersDoNot(Role role) throws Exception {
      try (var pki = new Issuing(directory, "alps")) {
        int port = port(pki, Certificates.REQUIRED);
        var its = Optional.of(pki.issue(role, "n2"));
        var browser = Browser.trusting(pki.files("n1").ca(), its);
        assertEquals(403, browser.get(port, "/metrics/jobs", TEXT).statusCode());
        var answer = browser.get(port, "/metrics", TEXT);
        assertEquals(403, answer.statusCode());
        assertEquals(
            "metrics are for administrators and monitors of cluster 'alps', and not for 'n2'\n",
            answer.body());
      }
    }

    @Test
    void nobodyOfAnotherClusterDoes() throws Exception {
      try (var pki = new Issuing(directory, "jura")) {
        var hers = Optional.of(pki.issue(Role.ADMINISTRATOR, "ada"));
        assertEquals(403, get(pki, hers, "/metrics", TEXT).statusCode());
      }
    }

    /** A kubelet and load balancers have none, and probe a gateway. */
    @Test
    void withoutACertificateAGatewayShowsItsHealthOnly() throws Exception {
      try (var pki = new Issuing(directory, "alps")) {
        int port = port(pki, Certificates.REQUESTED);
        var stranger = Browser.trusting(pki.files("n1").ca(), Optional.empty());
        assertEquals(200, stranger.get(port, "/health/ready", TEXT).statusCode());
        assertEquals(403, stranger.get(port, "/metrics", TEXT).statusCode());
      }
    }

    /** A certificate of another authority is not even sent: the server names those it trusts. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutOneAnAgentEndsTheHandshakeAndCountsIt(boolean another) throws Exception {
      try (var pki = new Issuing(directory.resolve("ours"), "alps");
          var other = new Issuing(directory.resolve("theirs"), "alps");
          var log = LoggedLines.of(FailedHandshakes.class.getName())) {
        var registry = new SimpleMeterRegistry();
        VertxSettings.countEnded(vertx, registry);
        int port = port(pki, Certificates.REQUIRED);
        Optional<TlsFiles> theirs =
            another ? Optional.of(other.issue(Role.ADMINISTRATOR, "ada")) : Optional.empty();
        var stranger = Browser.trusting(pki.files("n1").ca(), theirs);
        for (String path : List.of("/metrics", "/health/live", "/health/ready")) {
          assertThrows(IOException.class, () -> stranger.get(port, path, TEXT));
        }
        assertTrue(registry.get("rollcall.peer.handshakes.failed").functionCounter().count() >= 3);
        assertEquals(1, log.lines().size(), log.lines()::toString);
        assertTrue(
            log.lines()
                .getFirst()
                .contains("the client presented no certificate, and this port requires one"),
            log.lines()::toString);
      }
    }

    @Test
    void whoAsksForOpenMetricsGetsIt() throws Exception {
      try (var pki = new Issuing(directory, "alps")) {
        var answer =
            get(
                pki,
                Optional.of(pki.issue(Role.MONITOR, "prometheus")),
                "/metrics",
                "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5");
        assertEquals(
            Optional.of("application/openmetrics-text; version=1.0.0; charset=utf-8"),
            answer.headers().firstValue("content-type"));
        assertTrue(answer.body().startsWith("figures as application/openmetrics-text"));
      }
    }
  }

  /** A site whose authority writes no roles has names, as at the gateway. */
  @Test
  void aCertificateWithoutARoleIsWhatTheSiteSaysOfItsName() {
    var readers = new Readers("alps", Set.of("grafana"));
    assertEquals(Optional.empty(), readers.objection(named("grafana")));
    assertEquals(
        Optional.of(
            "metrics are for administrators and monitors of cluster 'alps', and not for 'n2'"),
        readers.objection(named("n2")));
  }

  private static Peer named(String commonName) {
    return new Peer.Certified(commonName, Set.of(), Set.of(), Instant.MAX);
  }
}
