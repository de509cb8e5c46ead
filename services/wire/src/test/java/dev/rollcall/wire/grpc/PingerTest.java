package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.wire.pace.SharedTimer;
import io.grpc.Status;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that are watched at a shared timer, as the agent's to its gateway. */
class PingerTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final KeepAlive KEEP_ALIVE = new KeepAlive(TICK.multipliedBy(2), TICK);
  private static final long BETWEEN_PINGS_MS = 100;

  /** For longer than after which a peer without pings is pinged. */
  private static final int MANY = 60;

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final AtomicInteger pings = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final Recorder<ConnectRequest, ConnectResponse> recorder = new Recorder<>();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private void connect(int port) {
    var _ = connect(port, KEEP_ALIVE);
  }

  private GrpcChannel connect(int port, KeepAlive keepAlive) {
    KeepAlive watched = keepAlive.at(new SharedTimer(vertx, TICK), heard::incrementAndGet);
    var channel = GrpcChannel.tcp(vertx, "127.0.0.1", port, Optional.empty(), watched);
    var _ = RollServiceGrpc.newStub(channel).connect(recorder);
    return channel;
  }

  private int serve(Consumer<HttpConnection> then) {
    return vertx
        .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(true))
        .connectionHandler(connection -> {
          connection.pingHandler(_ -> pings.incrementAndGet());
          then.accept(connection);
        })
        .requestHandler(_ -> {})
        .listen(0, "127.0.0.1")
        .await()
        .actualPort();
  }

  private void ping(HttpConnection connection) {
    vertx.setPeriodic(
        BETWEEN_PINGS_MS,
        _ ->
            connection
                .ping(Buffer.buffer(new byte[Long.BYTES]))
                .onSuccess(_ -> answers.incrementAndGet()));
  }

  @Test
  void aPeerThatPingsIsNotPinged() {
    connect(serve(this::ping));
    Eventually.await(LONG, () -> answers.get() >= MANY, () -> answers + " answers");
    assertEquals(0, pings.get());
    assertTrue(heard.get() >= MANY, () -> heard + " pings heard");
  }

  @Test
  void aNeededPeerIsPingedOnceASecondAtMost() {
    GrpcChannel channel = connect(serve(this::ping), KeepAlive.RARE);
    Eventually.await(LONG, () -> answers.get() > 0, () -> "no connection");
    long began = System.nanoTime();
    Eventually.await(
        LONG,
        () -> {
          channel.need();
          return pings.get() >= 2;
        },
        () -> pings + " pings");
    assertTrue(System.nanoTime() - began >= TICK.toNanos(), "two pings within a second");
    assertTrue(recorder.isOpen());
  }

  /** Its pings would show that it hangs after a minute and a half. */
  @Test
  void aNeededPeerThatAnswersNothingLosesTheConnection() throws Exception {
    try (var relay = new Relay(serve(this::ping))) {
      GrpcChannel channel = connect(relay.port(), KeepAlive.RARE);
      Eventually.await(LONG, () -> answers.get() > 0, () -> "no connection");
      relay.swallow();
      channel.need();
      assertEquals(Status.Code.UNAVAILABLE, recorder.end().getCode());
    }
  }

  @Test
  void aPeerThatSendsNoPingsIsPinged() {
    connect(serve(_ -> {}));
    Eventually.await(LONG, () -> pings.get() >= 2, () -> pings + " pings");
  }

  @Test
  void aPeerThatSendsNothingLosesTheConnection() throws Exception {
    try (var relay = new Relay(serve(this::ping))) {
      connect(relay.port());
      Eventually.await(LONG, () -> answers.get() > 0, () -> "no connection");
      relay.swallow();
      assertEquals(Status.Code.UNAVAILABLE, recorder.end().getCode());
    }
  }
}
