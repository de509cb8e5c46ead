package dev.rollcall.agent.login.log;

import static dev.rollcall.agent.TestNode.ALICE;
import static dev.rollcall.agent.TestNode.FAR;
import static dev.rollcall.agent.TestNode.callFrom;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.login.socket.ModuleRequest;
import dev.rollcall.proto.login.v1.Delegated;
import dev.rollcall.proto.login.v1.Outcome;
import dev.rollcall.proto.loginsocket.v1.Phase;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.trace.ReceivedSpan;
import dev.rollcall.testkit.trace.TraceCollector;
import dev.rollcall.wire.trace.SpanSender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The spans of logins that the PAM module decides, as a collector has them. */
class RecordedLoginTracesTest {
  private static final Instant DECIDED = Instant.parse("2026-11-26T06:00:00.000000123Z");

  @TempDir private Path run;
  private TestNode node;
  private TraceCollector collector;
  private SpanSender sender;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(directory());
    node = new TestNode();
    node.loginDirectory = directory();
    collector = TraceCollector.start(0);
    sender =
        new SpanSender(
            node.vertx,
            new SpanSender.Way("127.0.0.1", collector.port(), Optional.empty(), Map.of()),
            new SpanSender.Counts(
                node.registry.counter("spans", "sent", "yes"),
                node.registry.counter("spans", "sent", "no")));
  }

  @AfterEach
  void stop() throws IOException {
    TestNode.await(sender.close());
    collector.close();
    node.close();
  }

  private Path directory() {
    return run.resolve("login");
  }

  private void read(boolean personal) {
    node.tracer = sender.tracer(personal);
    node.withStages();
    node.twoJobsOfAlice();
    node.withLoginSocket();
    node.deploy(
        new LoginLogVerticle(
            node.bus,
            directory(),
            Records.BOOT,
            run.resolve("audit.jsonl"),
            node.vertx.createSharedWorkerExecutor("login-log", 1),
            node.registry));
  }

  private void append(byte[] bytes) throws IOException {
    Files.write(
        directory().resolve("log"), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private ReceivedSpan await(String name) {
    Eventually.await(
        Patience.ofSeconds(20),
        () -> named(name).size() == 1,
        () -> "not one " + name + " among " + collector.spans());
    return named(name).getFirst();
  }

  private List<ReceivedSpan> named(String name) {
    return collector.spans().stream().filter(span -> span.name().equals(name)).toList();
  }

  @Test
  void aLoginOfTheModuleIsASpanOfItsTimeAndLength() throws IOException {
    read(/* personal= */ false);
    append(
        Records.framed(
            Records.adopted("5e1dca1f-1")
                .setDecidedAtNs(Records.nanos(DECIDED))
                .setTookNs(Duration.ofMillis(7).toNanos())));
    ReceivedSpan login = await("login");
    assertEquals(
        Map.of(
            "rollcall.decided_by",
            "module",
            "rollcall.decision_id",
            "5e1dca1f-1",
            "rollcall.outcome",
            "adopted",
            "rollcall.reason",
            "only-job"),
        login.attributes());
    assertEquals(List.of("", "SERVER"), List.of(login.parent(), login.kind()));
    assertEquals(Duration.ofMillis(7), login.took());
    assertEquals(Records.nanos(DECIDED) - Duration.ofMillis(7).toNanos(), login.startNanos());
  }

  @Test
  void theSessionPhaseThatAsksIsAPartOfThatTrace() throws IOException {
    read(/* personal= */ true);
    append(
        Records.framed(Records.adopted("5e1dca1f-1").setDecidedAtNs(Records.nanos(Instant.now()))));
    ReceivedSpan login = await("login");
    assertEquals("alice", login.attributes().get("user.name"));
    assertEquals(TestNode.OLDER.toString(), login.attributes().get("rollcall.job_id"));
    ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(ALICE, callFrom(FAR, 40_001)).setPhase(Phase.PHASE_OPEN_SESSION));
    ReceivedSpan session = await("session");
    assertEquals(login.id(), session.parent());
    assertEquals(login.trace(), session.trace());
  }

  @Test
  void aLoginThatTheAgentDecidedHasTheMoveAsAPartOfItsTrace() throws IOException {
    read(/* personal= */ false);
    String trace = "0af7651916cd43dd8448eb211c80319c";
    String login = "b7ad6b7169203331";
    append(
        Records.framed(
            Records.adopted("7-1")
                .setDecidedAtNs(Records.nanos(DECIDED))
                .setDelegated(
                    Delegated.newBuilder()
                        .setTraceparent("00-" + trace + "-" + login + "-01")
                        .setMoveNs(Duration.ofMillis(2).toNanos()))));
    ReceivedSpan move = await("move");
    assertEquals(List.of(trace, login), List.of(move.trace(), move.parent()));
    assertEquals(Duration.ofMillis(2), move.took());
    assertEquals(List.of(), named("login"));
    assertEquals(1, node.registry.timer("rollcall.adopt.moves").count());
  }

  @Test
  void oneThatAnEarlierAgentPublishedHasNoSecondSpan() throws IOException {
    Files.writeString(run.resolve("audit.jsonl"), "{\"decision_id\":\"5e1dca1f-1\"}\n");
    append(Records.framed(Records.adopted("5e1dca1f-1")));
    append(
        Records.framed(
            Records.adopted("5e1dca1f-2")
                .setConnection(Records.connection(40_002))
                .setOutcome(Outcome.OUTCOME_DENIED)));
    read(/* personal= */ false);
    assertEquals("5e1dca1f-2", await("login").attributes().get("rollcall.decision_id"));
  }
}
