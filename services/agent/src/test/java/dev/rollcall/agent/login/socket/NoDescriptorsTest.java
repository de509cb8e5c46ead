package dev.rollcall.agent.login.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The login socket of a process whose descriptors are all in use: accept(2) fails with EMFILE. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NoDescriptorsTest {
  private static final Duration PATIENCE = Patience.ofSeconds(30);
  private static final int TRIES = 10;

  /** Of ten pauses of 100 ms each. A timer is never early. */
  private static final Duration OF_TRIES = Duration.ofMillis(800);

  @TempDir private Path directory;

  @Test
  void loginsWaitForOneWithoutHasteAndAreAnsweredThen() throws IOException {
    Path log = directory.resolve("log");
    try (SmallLoginSocket loginSocket = SmallLoginSocket.start(log)) {
      assertEquals(41, ModuleRequest.ask(loginSocket.socket, login()).getJobId());
      assertTrue(loginSocket.fill() > 0);
      try (var knock = new ModuleRequest(loginSocket.socket)) {
        knock.send(ModuleRequest.frame(login().build().toByteArray()));
        failed(loginSocket, 1);
        int before = loginSocket.notAccepted();
        long began = System.nanoTime();
        failed(loginSocket, before + TRIES);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(took.compareTo(OF_TRIES) >= 0, TRIES + " tries took " + took.toMillis() + " ms");
        loginSocket.free();
        assertEquals(41, knock.reply().getJobId());
      }
      assertEquals(41, ModuleRequest.ask(loginSocket.socket, login()).getJobId());
    }
    String text = RequestFailure.NOT_ACCEPTED.text();
    assertEquals(1, Files.readAllLines(log).stream().filter(line -> line.contains(text)).count());
  }

  private static LoginRequest.Builder login() {
    return ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000));
  }

  private static void failed(SmallLoginSocket loginSocket, int times) {
    Eventually.await(
        PATIENCE,
        () -> notAccepted(loginSocket) >= times,
        () -> "failed " + notAccepted(loginSocket) + " times");
  }

  private static int notAccepted(SmallLoginSocket loginSocket) {
    try {
      return loginSocket.notAccepted();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
