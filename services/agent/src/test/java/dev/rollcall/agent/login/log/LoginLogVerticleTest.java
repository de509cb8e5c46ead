package dev.rollcall.agent.login.log;

import static dev.rollcall.agent.TestNode.ALICE;
import static dev.rollcall.agent.TestNode.BOB;
import static dev.rollcall.agent.TestNode.FAR;
import static dev.rollcall.agent.TestNode.OLDER;
import static dev.rollcall.agent.TestNode.await;
import static dev.rollcall.agent.TestNode.callFrom;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.audit.AuditVerticle;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Prediction;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RememberedAdoption;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.socket.ModuleRequest;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.loginsocket.v1.Choice;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.wire.audit.AuditLog;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From the bytes of the log to all that follows a login. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoginLogVerticleTest {
  private static final Connection CALL = callFrom(FAR, 40_001);

  @TempDir private Path run;
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node = node();
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private TestNode node() throws IOException {
    Files.createDirectories(directory());
    var made = new TestNode();
    made.loginDirectory = directory();
    made.withStages();
    made.deploy(
        new AuditVerticle(
            made.bus,
            made.beat,
            audit(),
            new AuditLog.Writer("agent", "node2", "9.9"),
            uid -> "user" + uid,
            uid -> uid,
            made.registry));
    made.twoJobsOfAlice();
    return made;
  }

  private void read() {
    node.deploy(
        new LoginLogVerticle(
            node.bus,
            directory(),
            Records.BOOT,
            audit(),
            node.vertx.createSharedWorkerExecutor("login-log", 1),
            node.registry));
  }

  private Path directory() {
    return run.resolve("login");
  }

  private Path audit() {
    return run.resolve("audit.jsonl");
  }

  private void append(byte[] bytes) throws IOException {
    Files.write(
        directory().resolve("log"), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Optional<RememberedAdoption> recent(String id) {
    var wanted = new AdoptionsWanted(Optional.of(id), Optional.empty(), Optional.empty());
    return await(node.bus.ask(Queries.ADOPTIONS_LISTED, wanted, Bus.AT_ONCE)).stream().findFirst();
  }

  private List<JsonObject> auditedSessions() {
    try {
      return Files.readAllLines(audit()).stream()
          .map(JsonObject::new)
          .filter(line -> "session".equals(line.getString("event")))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void comesToPosition(long offset) {
    Path position = directory().resolve("log.position");
    Eventually.await(
        Duration.ofSeconds(40),
        () -> text(position).endsWith(" " + offset + "\n"),
        () -> "the position is '" + text(position) + "'");
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The login socket opens after it: whom the agent lets in then is newer than all of the log. */
  @Test
  void aLongLogIsReadWhenItsReaderIsStarted() throws IOException {
    var log = new ByteArrayOutputStream();
    var lines = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      String id = "5e1dca1f-" + Integer.toString(i, Character.MAX_RADIX);
      log.write(Records.framed(Records.adopted(id)));
      lines.append("{\"event\":\"session\",\"decision_id\":\"").append(id).append("\"}\n");
    }
    append(log.toByteArray());
    Files.writeString(audit(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    read();
    assertTrue(recent("5e1dca1f-" + Integer.toString(1_999, Character.MAX_RADIX)).isPresent());
    assertEquals(2_000, auditedSessions().size());
  }

  /** Slurm's step daemon of a job of Alice's hangs, and she logs in again and again. */
  @Test
  void reportsOfOneUserThatHangDelayNoOtherUsersRecord() throws IOException {
    var job = new JobId(50);
    node.job(job, BOB, JobState.OPEN, 0);
    var hangs = new CountDownLatch(1);
    node.jobs.beforeJoined(session -> {
      if (session.job().equals(OLDER)) {
        awaitIt(hangs);
      }
    });
    read();
    var told = node.logins(Outcome.ADOPTED);
    for (int i = 0; i < 8; i++) {
      append(
          Records.framed(
              Records.adopted("5e1dca1f-a" + i).setConnection(Records.connection(40_001 + i))));
    }
    append(Records.framed(Records.adopted("5e1dca1f-b").setUid(BOB).setJobId(job.number())));
    assertEquals("5e1dca1f-b", told.next().id());
    hangs.countDown();
    for (int i = 0; i < 8; i++) {
      assertEquals(ALICE, told.next().uid());
    }
  }

  private static void awaitIt(CountDownLatch latch) {
    try {
      assertTrue(latch.await(50, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLoginOfTheModuleIsOneOfTheAgents() throws IOException {
    read();
    var told = node.logins(Outcome.ADOPTED);
    append(Records.framed(Records.adopted("5e1dca1f-a").setAgentAway(true)));

    var adoption = told.next();

    assertEquals("5e1dca1f-a", adoption.id());
    assertEquals(ALICE, adoption.uid());
    assertEquals(Outcome.ADOPTED, adoption.outcome());
    assertEquals(Optional.of(new JobStep(OLDER, StepId.EXTERN)), adoption.job());
    assertEquals(Reason.ONLY_JOB, adoption.reason());
    assertEquals("no agent answered", adoption.doubt());
    assertEquals(Optional.of(CALL.flipped()), adoption.connection());
    var remembered = recent("5e1dca1f-a").orElseThrow();
    assertEquals(adoption, remembered.adoption());
    assertEquals(new ProcessRef(4_242, 99), remembered.process());
    comesToPosition(Files.size(directory().resolve("log")));
    var lines = auditedSessions();
    assertEquals(1, lines.size());
    assertEquals("5e1dca1f-a", lines.getFirst().getString("decision_id"));
    assertEquals("adopted", lines.getFirst().getString("decision"));
    assertEquals(41, lines.getFirst().getInteger("job"));
    assertEquals(1, node.registry.counter("rollcall.adopt.sessions", "outcome", "adopted").count());
    assertEquals(
        1, node.registry.counter("rollcall.decide.sessions", "reason", "only-job").count());
  }

  @Test
  void theJobsTakeNoteOfTheSession() throws IOException {
    read();
    var told = node.logins(Outcome.ADOPTED);
    var process = node.jobs.start("sshd");
    append(
        Records.framed(
            Records.adopted("5e1dca1f-a")
                .setPid(process.ref().pid())
                .setProcessStart(process.ref().startTime())));

    assertEquals("5e1dca1f-a", told.next().id());
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(OLDER, StepId.EXTERN))),
        node.jobs.membershipOf(process.ref()));
  }

  @Test
  void aLoginIntoAJobThatIsNotHereIsPublishedAllTheSame() throws IOException {
    read();
    var told = node.logins(Outcome.ADOPTED);
    append(Records.framed(Records.adopted("5e1dca1f-a").setJobId(99)));

    assertEquals(Optional.of(new JobStep(new JobId(99), StepId.EXTERN)), told.next().job());
  }

  @Test
  void aLaterPhaseThatAsksIsARepetition() throws IOException {
    node.withLoginSocket();
    read();
    var told = node.logins(Outcome.ADOPTED);
    append(Records.framed(Records.adopted("5e1dca1f-a")));

    // At once: what the reader has not seen yet is read before the answer.
    var reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(ALICE, CALL).setPhase(Phase.PHASE_OPEN_SESSION));

    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, reply.getOutcome());
    assertEquals("5e1dca1f-a", reply.getAdoptionId());
    assertEquals(41, reply.getJobId());
    assertEquals("5e1dca1f-a", told.next().id());
    assertEquals(node.lastPeer, recent("5e1dca1f-a").orElseThrow().process());
    comesToPosition(Files.size(directory().resolve("log")));
    assertEquals(1, auditedSessions().size());
  }

  @Test
  void aRecordOfALaterPhaseRepeatsItsLogin() throws IOException {
    read();
    append(
        Records.joined(
            Records.framed(Records.adopted("5e1dca1f-a")),
            Records.framed(
                Records.adopted("5e1dca1f-b")
                    .setPid(4_243)
                    .setPhase(dev.rollcall.proto.login.v1.Phase.PHASE_OPEN_SESSION))));
    comesToPosition(Files.size(directory().resolve("log")));

    assertEquals(1, auditedSessions().size());
    assertEquals(new ProcessRef(4_243, 99), recent("5e1dca1f-a").orElseThrow().process());
    assertEquals(Optional.empty(), recent("5e1dca1f-b"));
  }

  /** With keyboard-interactive only the process of the session phase lives on. */
  @Test
  void theProcessOfALaterPhaseIsInTheJob() throws IOException {
    ProcessRef session = node.jobs.start("sshd").ref();
    read();
    append(
        Records.joined(
            Records.framed(Records.adopted("5e1dca1f-a")),
            Records.framed(
                Records.adopted("5e1dca1f-b")
                    .setPid(session.pid())
                    .setProcessStart(session.startTime())
                    .setCgroupPath("/rollcall.scope/job_41/step_extern/user/session_8")
                    .setPhase(dev.rollcall.proto.login.v1.Phase.PHASE_OPEN_SESSION))));
    comesToPosition(Files.size(directory().resolve("log")));

    Membership inJob = new Membership.InJob(new JobStep(OLDER, StepId.EXTERN));
    Eventually.await(
        Duration.ofSeconds(40),
        () -> node.jobs.membershipOf(session).equals(Optional.of(inJob)),
        () -> "the process is in " + node.jobs.membershipOf(session));
  }

  private void expect(Membership membership) {
    var process = new ProcessRef(7, 1);
    var node1 = new NodeName("node1");
    var caller =
        new Caller("test", node1, membership, ALICE, process, TestNode.NOON, Optional.empty());
    node.bus.tell(Topics.CALL_ANNOUNCED, new AnnouncedCall(new Call(CALL, caller), 1, 1));
  }

  @Test
  void itsCallerIsExpectedNoMore() throws IOException {
    expect(new Membership.InJob(new JobStep(OLDER, StepId.of(0))));
    read();
    var told = node.logins(Outcome.ADOPTED);
    append(Records.framed(Records.adopted("5e1dca1f-a").setReason("caller-job")));

    Adoption adopted = told.next();
    assertEquals("5e1dca1f-a", adopted.id());
    assertEquals("", adopted.doubt());
    assertEquals(
        1, node.registry.counter("rollcall.login.callers.lookups", "result", "taken").count());
  }

  @Test
  void aGuessSaysWhyItsCallerDidNotDecide() throws IOException {
    expect(new Membership.NoJob());
    read();
    var told = node.logins(Outcome.ADOPTED);
    append(Records.framed(Records.adopted("5e1dca1f-a").setReason("caller-elsewhere")));

    assertEquals("the caller on node1 is in no job", told.next().doubt());
    assertEquals(1, node.registry.counter("rollcall.decide.logins", "by", "files").count());
  }

  @Test
  void aRefusedLoginIsPublishedAsOne() throws IOException {
    var told = node.logins(Outcome.DENIED);
    read();
    append(
        Records.framed(
            Records.adopted("5e1dca1f-a")
                .setOutcome(dev.rollcall.proto.login.v1.Outcome.OUTCOME_DENIED)
                .setReason("no-jobs")));

    var refused = told.next();
    assertEquals(Outcome.DENIED, refused.outcome());
    assertEquals(Optional.empty(), refused.job());
    assertEquals(Reason.NO_JOBS, refused.reason());
  }

  @Test
  void theNextAgentKnowsTheLoginsOfTheLogAndPublishesNoneAgain() throws IOException {
    append(Records.framed(Records.adopted("5e1dca1f-a")));
    read();
    comesToPosition(Files.size(directory().resolve("log")));
    node.close();
    Files.delete(directory().resolve("log.position"));

    append(Records.framed(Records.adopted("5e1dca1f-b").setConnection(Records.connection(40_002))));
    node = node();
    node.withLoginSocket();
    var told = node.logins(Outcome.ADOPTED);
    read();

    assertEquals("5e1dca1f-b", told.next().id());
    comesToPosition(Files.size(directory().resolve("log")));
    assertEquals(
        List.of("5e1dca1f-a", "5e1dca1f-b"),
        auditedSessions().stream()
            .map(line -> requireNonNull(line.getString("decision_id")))
            .toList());
    assertTrue(recent("5e1dca1f-a").isPresent());
    var reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(ALICE, CALL).setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals("5e1dca1f-a", reply.getAdoptionId());
  }

  private String answeredLogin(Connection call) {
    node.withLoginSocket();
    var told = node.logins(Outcome.ADOPTED);
    String id =
        ModuleRequest.ask(node.loginSocket(), ModuleRequest.login(ALICE, call)).getAdoptionId();
    assertEquals(id, told.next().id());
    return id;
  }

  @Test
  void theNextAgentKnowsALoginThatThisOneAnswered() throws IOException {
    read();
    String id = answeredLogin(CALL);
    comesToPosition(Files.size(directory().resolve("log")));
    var known = recent(id).orElseThrow();
    assertEquals(0, node.registry.counter("rollcall.login.records").count());
    node.close();

    node = node();
    node.withLoginSocket();
    read();

    Eventually.await(
        Duration.ofSeconds(40), () -> recent(id).isPresent(), () -> "the login is not known");
    assertEquals(known, recent(id).orElseThrow());
    var reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(ALICE, CALL).setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals(id, reply.getAdoptionId());
    comesToPosition(Files.size(directory().resolve("log")));
    assertEquals(1, auditedSessions().size());
  }

  /** As after SIGKILL between the record and the answer. */
  @Test
  void theNextAgentAnswersAProcessThatAsksAgainByItsRecord() throws IOException {
    read();
    String id = answeredLogin(CALL);
    comesToPosition(Files.size(directory().resolve("log")));
    node.close();

    node = node();
    node.withLoginSocket();
    read();

    var reply = ModuleRequest.ask(node.loginSocket(), ModuleRequest.login(ALICE, CALL));
    assertEquals(id, reply.getAdoptionId());
    comesToPosition(Files.size(directory().resolve("log")));
    assertEquals(1, auditedSessions().size());
  }

  /** As after SIGKILL between the answer and the audit line. */
  @Test
  void theNextAgentPublishesALoginThatThisOneAnsweredAndDidNot() throws IOException {
    read();
    String id = answeredLogin(CALL);
    comesToPosition(Files.size(directory().resolve("log")));
    node.close();
    Files.delete(audit());
    Files.delete(directory().resolve("log.position"));

    node = node();
    var told = node.logins(Outcome.ADOPTED);
    read();

    assertEquals(id, told.next().id());
    comesToPosition(Files.size(directory().resolve("log")));
    assertEquals(
        List.of(id),
        auditedSessions().stream()
            .map(line -> requireNonNull(line.getString("decision_id")))
            .toList());
  }

  @Test
  void aPredictionUsesTheOptionsOfALoginThatTheModuleDecided() throws IOException {
    read();
    append(
        Records.framed(
            Records.adopted("5e1dca1f-a")
                .setOptions(Options.newBuilder().setActionUnknown(Choice.CHOICE_DENY))));
    comesToPosition(Files.size(directory().resolve("log")));

    Prediction prediction = await(node.bus.ask(Queries.ADOPTION_PREDICTED, ALICE, Bus.AT_ONCE));

    assertTrue(prediction.optionsSeen());
    assertEquals(Reason.CALLER_UNKNOWN, prediction.decision().reason());
  }
}
