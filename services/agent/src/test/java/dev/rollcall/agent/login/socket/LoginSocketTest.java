package dev.rollcall.agent.login.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.JobState;
import dev.rollcall.proto.loginsocket.v1.Choice;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.testkit.process.Await;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoginSocketTest {
  private static final byte[] NOTHING = new byte[0];

  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private static LoginRequest.Builder login() {
    return ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000));
  }

  private void assertLoginsGoOn() {
    assertEquals(41, ModuleRequest.ask(node.loginSocket(), login()).getJobId());
  }

  private double faults(String reason) {
    return node.registry
        .get("rollcall.login.socket.failures")
        .tag("reason", reason)
        .counter()
        .count();
  }

  /** The login socket may close before everything is said. */
  private byte[] afterSending(byte[] bytes) throws IOException {
    try (var knock = new ModuleRequest(node.loginSocket())) {
      try {
        knock.send(bytes);
        knock.shutDownOutput();
      } catch (IOException closed) {
        return knock.untilClosed();
      }
      return knock.untilClosed();
    }
  }

  @Test
  void isWarmedBeforeItIsReady() {
    var health = node.health();
    node.withLoginSocket();
    assertEquals("open at " + node.loginSocket(), health.next().detail());
    assertTrue(node.registry.get("rollcall.login.socket.requests").counter().count() >= 20);
    assertEquals(
        0,
        node.registry.get("rollcall.decide.sessions").counters().stream()
            .mapToDouble(Counter::count)
            .sum(),
        "practice is no session");
  }

  @Test
  void practisesWithNobodysSessionsOnly() {
    node.withLoginSocket();
    assertFails(
        "a warm-up must have no user, but has uid " + TestNode.ALICE,
        login().setPhase(Phase.PHASE_WARM_UP));
    LoginReply nobodys =
        ModuleRequest.ask(node.loginSocket(), login().setPhase(Phase.PHASE_WARM_UP).setUid(-1));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, nobodys.getOutcome());
  }

  @Test
  void isForRootAlone() throws IOException {
    node.withLoginSocket();
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(node.loginSocket())));
    node.peerUid = TestNode.BOB;
    assertArrayEquals(NOTHING, afterSending(ModuleRequest.frame(login().build().toByteArray())));
    Await.until("the fault is counted", () -> faults("not-root") == 1);
    node.peerUid = 0;
    assertLoginsGoOn();
  }

  @Test
  void closesOnATruncatedFrame() throws IOException {
    node.withLoginSocket();
    byte[] frame = ModuleRequest.frame(login().build().toByteArray());
    assertArrayEquals(NOTHING, afterSending(java.util.Arrays.copyOf(frame, frame.length - 1)));
    assertArrayEquals(NOTHING, afterSending(new byte[] {0, 0}));
    Await.until("both are counted", () -> faults("truncated") == 2);
    assertLoginsGoOn();
  }

  @Test
  void closesOnAnOversizedFrame() throws IOException {
    node.withLoginSocket();
    assertArrayEquals(NOTHING, afterSending(ByteBuffer.allocate(4).putInt(2_049).array()));
    assertArrayEquals(NOTHING, afterSending(ByteBuffer.allocate(4).putInt(-1).array()));
    Await.until("the fault is counted", () -> faults("oversized") == 2);
    assertLoginsGoOn();
  }

  @Test
  void closesWhenMoreComesThanOneRequest() throws IOException {
    node.withLoginSocket();
    byte[] frame = ModuleRequest.frame(login().build().toByteArray());
    assertArrayEquals(NOTHING, afterSending(java.util.Arrays.copyOf(frame, frame.length + 1)));
    Await.until("the fault is counted", () -> faults("trailing") == 1);
    assertLoginsGoOn();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void answersGarbageWithAFailureOrNotAtAll(long seed) throws IOException {
    node.withLoginSocket();
    byte[] garbage = new byte[256];
    new Random(seed).nextBytes(garbage);
    try (var knock = new ModuleRequest(node.loginSocket())) {
      knock.send(ModuleRequest.frame(garbage));
      assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, knock.reply().getOutcome());
    }
    Await.until("the fault is counted", () -> faults("garbage") == 1);
    assertLoginsGoOn();
  }

  @Test
  void namesWhatItDoesNotUnderstand() {
    node.withLoginSocket();
    assertFails("version 2 is not 1", login().setVersion(2));
    assertFails("phase 0 is none", login().setPhase(Phase.PHASE_UNSPECIFIED));
    assertFails(
        "action_unknown: CHOICE_IGNORE is not a value of it",
        login().setOptions(Options.newBuilder().setActionUnknown(Choice.CHOICE_IGNORE)));
    assertFails(
        "an address has 4 or 16 bytes, not 3",
        login().setLocalAddress(com.google.protobuf.ByteString.copyFrom(new byte[3])));
  }

  @Test
  void answersOnlyThePamLinesOfItsNode() {
    node.withLoginSocket();
    assertFails(
        "nodename=node7 in the PAM line, and this is the agent of node node2",
        login().setNodeName("node7"));
    assertEquals(
        41, ModuleRequest.ask(node.loginSocket(), login().setNodeName("NODE2")).getJobId());
  }

  private void assertFails(String words, LoginRequest.Builder request) {
    LoginReply reply = ModuleRequest.ask(node.loginSocket(), request);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    assertTrue(reply.getMessage().contains(words), reply.getMessage());
  }

  @Test
  void closesOnAPeerThatSaysNothing() throws IOException {
    node.withLoginSocket(Duration.ofMillis(50));
    try (var knock = new ModuleRequest(node.loginSocket())) {
      assertArrayEquals(NOTHING, knock.untilClosed());
    }
    Await.until("the fault is counted", () -> faults("silent") == 1);
  }

  @Test
  void servesLoginsBesideAThousandSilentPeers() throws IOException {
    node.withLoginSocket(Duration.ofSeconds(30));
    List<ModuleRequest> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        crowd.add(new ModuleRequest(node.loginSocket()));
      }
      assertLoginsGoOn();
      Await.until("the oldest had to go", () -> faults("crowd") >= 744);
      assertArrayEquals(NOTHING, crowd.getFirst().untilClosed());
    } finally {
      for (ModuleRequest knock : crowd) {
        knock.close();
      }
    }
  }

  @Test
  void survivesAPeerThatHangsUpBeforeTheAnswer() throws IOException {
    node.withLoginSocket();
    for (int i = 0; i < 50; i++) {
      try (var knock = new ModuleRequest(node.loginSocket())) {
        knock.send(ModuleRequest.frame(login().build().toByteArray()));
      }
    }
    assertLoginsGoOn();
    Await.until(
        "nothing is under way",
        () -> node.registry.get("rollcall.login.requests.under.way").gauge().value() == 0);
  }

  @Test
  void replacesTheSocketOfADeadAgent() throws IOException {
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(node.loginSocket()));
    }
    assertTrue(Files.exists(node.loginSocket()));
    node.withLoginSocket();
    assertLoginsGoOn();
  }

  @Test
  void doesNotTakeTheSocketOfALiveAgent() throws IOException {
    try (var live = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      live.bind(UnixDomainSocketAddress.of(node.loginSocket()));
      var refused = assertThrows(AssertionError.class, node::withLoginSocket);
      assertTrue(
          String.valueOf(refused.getCause())
              .contains("another process listens on " + node.loginSocket()),
          String.valueOf(refused.getCause()));
    }
  }

  @Test
  void doesNotRemoveWhatIsNoSocket() throws IOException {
    Path file = Files.createFile(node.loginSocket());
    var refused = assertThrows(AssertionError.class, node::withLoginSocket);
    assertTrue(String.valueOf(refused.getCause()).contains("is not a socket"));
    assertTrue(Files.exists(file));
  }
}
