package dev.rollcall.load.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.grpcio.server.GrpcIoServer;
import io.vertx.grpcio.server.GrpcIoServiceBridge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LookupLoadTest {
  private static final int GREETINGS = 3;
  private static final int ASKED = 1000;

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void everyQuestionIsAskedOnceAndItsAnswerCounted() throws Exception {
    var service = new CountingCallerId(Long.MAX_VALUE);
    int exit =
        run(
            "--gateway",
            serve(service),
            "--rate",
            "500",
            "--seconds",
            "2",
            "--streams",
            "3",
            "--json");
    assertEquals(0, exit, text(err));
    assertEquals(GREETINGS + ASKED, service.questions.get());
    assertHas("\"asked\":1000", "\"answered\":1000", "\"found\":500", "\"unknown\":500");
    assertHas("\"malformed\":0", "\"streams\":3", "\"failures\":[]", "\"p99.9\":");
  }

  @Test
  void peopleReadTheSameCountsAsText() throws Exception {
    String gateway = serve(new CountingCallerId(Long.MAX_VALUE));
    assertEquals(0, run("--gateway", gateway, "--rate", "100", "--seconds", "1"), text(err));
    assertHas("100 asked, 100 answered, 50 found, 50 unknown", "4 streams");
  }

  @Test
  void questionsWithoutAnAnswerAreMissedAndTheExitSaysSo() throws Exception {
    String gateway = serve(new CountingCallerId(GREETINGS + 40));
    int exit =
        run("--gateway", gateway, "--rate", "100", "--seconds", "1", "--streams", "3", "--json");
    assertEquals(1, exit);
    assertHas("\"asked\":100", "\"answered\":40");
  }

  @Test
  void aGatewayThatIsNotThereIsNamed() throws Exception {
    String nowhere = "127.0.0.1:" + freePort();
    assertEquals(1, run("--gateway", nowhere));
    assertTrue(text(err).contains(nowhere), text(err));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--gateway",
        "--gateway nowhere",
        "--gateway g:0",
        "--gateway g:x",
        "--gateway g:1 --rate 0",
        "--gateway g:1 --rate many",
        "--gateway g:1 --seconds -1",
        "--gateway g:1 --seconds 1 --warm-up 1",
        "--gateway g:1 --streams 1001",
        "--gateway g:1 --ca /nonexistent",
        "--gateway g:1 --ca /etc/hostname",
        "--gateway g:1 --source here",
        "--gateway g:1 --source ::1",
        "--gateway g:1 --destination 10.0.0.1",
        "--gateway g:1 --rate 1 --rate 2",
        "--gateway g:1 --fast"
      })
  void badInputIsAClearErrorAndExitTwo(String line) {
    String[] args = Stream.of(line.split(" ")).filter(a -> !a.isEmpty()).toArray(String[]::new);
    assertEquals(2, run(args));
    assertTrue(text(err).startsWith("lookup-load: "), text(err));
    assertTrue(text(err).contains("usage: "), text(err));
    assertEquals("", text(out));
  }

  private int run(String... args) {
    return LookupLoad.run(args, print(out), print(err));
  }

  private String serve(CountingCallerId service) throws Exception {
    GrpcIoServer server = GrpcIoServer.server(vertx);
    GrpcIoServiceBridge.bridge(service).bind(server);
    HttpServer listening =
        vertx
            .createHttpServer()
            .requestHandler(server)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    return "127.0.0.1:" + listening.actualPort();
  }

  private void assertHas(String... parts) {
    for (String part : parts) {
      assertTrue(text(out).contains(part), part + " in " + text(out));
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream of) {
    return of.toString(StandardCharsets.UTF_8);
  }
}
