package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The users' socket of a process whose descriptors are all in use: accept(2) fails with EMFILE. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UsersWithoutDescriptorsTest {
  private static final Duration PATIENCE = Patience.ofSeconds(30);
  private static final int ROUNDS = 3;

  @TempDir private Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private SmallServer server;

  @BeforeEach
  void start() throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    server = SmallServer.startWithFewDescriptors(directory, log());
  }

  @AfterEach
  void stop() {
    server.close();
    vertx.close().await();
  }

  @Test
  void questionsWaitForOneAndAreAnsweredThen() throws Exception {
    assertEquals(IdentifyResponse.getDefaultInstance(), ask().get());
    for (int round = 1; round <= ROUNDS; round++) {
      assertTrue(server.fill() > 0);
      int failed = failures();
      var answer = ask();
      Eventually.await(PATIENCE, () -> failures() > failed, () -> "accept(2) did not fail");
      server.free();
      assertEquals(IdentifyResponse.getDefaultInstance(), answer.get());
    }
    assertEquals(IdentifyResponse.getDefaultInstance(), ask().get());
  }

  /** By a connection of its own. */
  private Future<IdentifyResponse> ask() {
    GrpcChannel channel = GrpcChannel.unix(vertx, server.socket, KeepAlive.CALM);
    return CallerIdServiceGrpc.newFutureStub(channel)
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .identify(IdentifyRequest.getDefaultInstance());
  }

  private Path log() {
    return directory.resolve("log");
  }

  private int failures() {
    try {
      return (int)
          Files.readAllLines(log()).stream()
              .filter(line -> line.contains("Too many open files"))
              .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
