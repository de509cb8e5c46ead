package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Await;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that begin and do not end, of several users, against a server of the agent's size. */
@Tag("root")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnfinishedMessagesTest {
  private static final int FIRST_UID = 5_001;
  private static final int CONNECTIONS = 64;
  private static final int CALLS = 32;
  private static final int MOST_ASKED = 20;
  private static final boolean FULL = Counts.areFull();
  private static final int TRIES = FULL ? 100 : 20;
  private static final int REFUSED = FULL ? 50_000 : 10_000;
  private static final String LISTING = "/rollcall.v1.JobService/List";
  private static final String METHOD = "/rollcall.v1.CallerIdService/Identify";

  @TempDir private Path directory;
  private final List<Process> attackers = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {1_000, 16_000, 1_048_000})
  void ofThreeUsersLeaveAnAnswerForAFourth(int size) throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try (var server = SmallServer.start(directory)) {
      for (int user = 0; user < 3; user++) {
        attack(FIRST_UID + user, server.socket, size);
      }
      int fastest = Integer.MAX_VALUE;
      // On a busy machine one answer or another takes longer.
      for (int i = 0; i < MOST_ASKED && fastest >= 1_000; i++) {
        fastest = Math.min(fastest, Integer.parseInt(ask(FIRST_UID + 3, server.socket)));
      }
      assertTrue(fastest < 1_000, "answered in " + fastest + " ms at best");
      GrpcChannel root = GrpcChannel.unix(vertx, server.socket, KeepAlive.CALM);
      var _ =
          CallerIdServiceGrpc.newBlockingStub(root)
              .withDeadlineAfter(10, TimeUnit.SECONDS)
              .identify(IdentifyRequest.getDefaultInstance());
      root.close().await();
      assertTrue(server.isAlive());
    } finally {
      for (Process attacker : attackers) {
        attacker.destroyForcibly().waitFor();
      }
      vertx.close().await();
    }
  }

  /** Whole requests for lists of a megabyte, of which nothing is read. */
  @Test
  void answersThatNobodyReadsLeaveAnAnswerForAFourth() throws Exception {
    ofThreeUsersLeaveAnAnswerForAFourth(0);
  }

  /**
   * Far more than its heap: what is measured closes the attackers' connections, not root's. Where
   * it is too late, the process ends by itself, and the next one answers.
   */
  @Test
  void ofThreeUsersEndNothingIfNothingIsCounted() throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    try (var server = SmallServer.startWithoutFirstLine(directory)) {
      GrpcChannel root = GrpcChannel.unix(vertx, server.socket, KeepAlive.CALM);
      for (int user = 0; user < 3; user++) {
        attackers.add(
            python(FIRST_UID + user, server.socket, CONNECTIONS, CALLS, 16_000, "at once"));
      }
      String answer = "";
      while (server.isAlive() && !answer.matches("[0-9]+")) { // until the test's timeout
        try {
          askAsRoot(root);
        } catch (StatusRuntimeException e) {
          Await.until("a server that loses root has ended", () -> !server.isAlive());
          break;
        }
        if (attackers.stream().allMatch(UnfinishedMessagesTest::hasAttacked)) {
          answer = ask(FIRST_UID + 3, server.socket);
        }
      }
      root.close().await();
      if (!server.isAlive()) {
        answersAgain(vertx);
      }
    } finally {
      for (Process attacker : attackers) {
        attacker.destroyForcibly().waitFor();
      }
      vertx.close().await();
    }
  }

  private static void askAsRoot(GrpcChannel root) {
    var _ =
        CallerIdServiceGrpc.newBlockingStub(root)
            .withDeadlineAfter(30, TimeUnit.SECONDS)
            .identify(IdentifyRequest.getDefaultInstance());
  }

  /** As a supervisor starts it. */
  private void answersAgain(Vertx vertx) throws Exception {
    try (var next = SmallServer.startWithoutFirstLine(directory)) {
      GrpcChannel root = GrpcChannel.unix(vertx, next.socket, KeepAlive.CALM);
      askAsRoot(root);
      root.close().await();
    }
  }

  /** It has said so, or its connections were closed meanwhile and it has ended. */
  private static boolean hasAttacked(Process attacker) {
    try {
      return !attacker.isAlive() || attacker.getInputStream().available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** One such connection ended a server that bounded each call's memory, and not each user's. */
  @Test
  void manyTriesOfOneUserEndNothing() throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var server = SmallServer.start(directory)) {
      Process tries = python(FIRST_UID, server.socket, TRIES, 95, 1_048_000, "again");
      attackers.add(tries);
      assertEquals(Integer.toString(TRIES), said(tries));
      assertTrue(server.isAlive());
      assertTrue(ask(FIRST_UID + 1, server.socket).matches("[0-9]+"));
    } finally {
      for (Process attacker : attackers) {
        attacker.destroyForcibly().waitFor();
      }
    }
  }

  /** A timer of each held it for seconds after it was over, and some thousand of them the heap. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity"})
  void callsThatAreRefusedHoldNothingWhenTheyAreOver(String encoding) throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var server = SmallServer.start(directory)) {
      Process calls =
          python(
              "refused.py",
              FIRST_UID,
              server.socket.toString(),
              "8",
              Integer.toString(REFUSED),
              encoding);
      attackers.add(calls);
      int answered = Integer.parseInt(said(calls));
      assertTrue(answered >= REFUSED, answered + " calls, alive: " + server.isAlive());
      assertTrue(ask(FIRST_UID + 1, server.socket).matches("[0-9]+"));
    } finally {
      for (Process attacker : attackers) {
        attacker.destroyForcibly().waitFor();
      }
    }
  }

  private void attack(int uid, Path socket, int size) throws IOException {
    Process attacker = python(uid, socket, CONNECTIONS, CALLS, size, "at once");
    attackers.add(attacker);
    assertEquals(Integer.toString(CONNECTIONS), said(attacker));
  }

  /** How many milliseconds the answer took, or what came instead. */
  private static String ask(int uid, Path socket) throws Exception {
    Process asks = python(uid, socket, 0, 0, 0, "at once");
    try {
      return said(asks);
    } finally {
      asks.destroyForcibly().waitFor();
    }
  }

  private static String said(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    return String.valueOf(lines.readLine());
  }

  private static Process python(
      int uid, Path socket, int connections, int calls, int size, String how) throws IOException {
    return python(
        "unfinished.py",
        uid,
        socket.toString(),
        connections > 0 && size == 0 ? LISTING : METHOD,
        Integer.toString(connections),
        Integer.toString(calls),
        Integer.toString(size),
        how);
  }

  private static Process python(String resource, int uid, String... arguments) throws IOException {
    String program;
    try (var source = UnfinishedMessagesTest.class.getResourceAsStream(resource)) {
      program = new String(requireNonNull(source).readAllBytes(), StandardCharsets.UTF_8);
    }
    var argv = new ArrayList<String>();
    argv.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
    argv.addAll(List.of("/usr/bin/python3", "-c", program));
    argv.addAll(List.of(arguments));
    return new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
