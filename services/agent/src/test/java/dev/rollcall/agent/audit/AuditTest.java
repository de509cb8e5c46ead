package dev.rollcall.agent.audit;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.ServedCall;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.socket.ModuleRequest;
import dev.rollcall.agent.serve.ServeVerticle;
import dev.rollcall.agent.serve.UserMoves;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.port.JobNamespaces;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Mover;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc.JobServiceFutureStub;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.proto.v1.SwitchRequest;
import dev.rollcall.testkit.docs.CodeBlock;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.wire.audit.AuditLog;
import dev.rollcall.wire.audit.CallOutcome;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.local.LocalChannel;
import io.grpc.Status;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lines of the audit file about logins, and about calls on agent.sock. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AuditTest {
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages();
    audited();
  }

  private void audited() {
    node.deploy(
        new AuditVerticle(
            node.bus,
            node.beat,
            file(),
            new AuditLog.Writer("agent", "node2", "9.9"),
            uid -> uid == 0 ? "root" : "user" + uid,
            uid -> uid >= 300_000 ? TestNode.ALICE : uid,
            node.registry));
    node.withLoginSocket();
  }

  private static void await(BooleanSupplier condition, Supplier<String> what) {
    Eventually.await(Duration.ofSeconds(40), condition, what);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private Path file() {
    return node.directory.resolve("audit.jsonl");
  }

  private List<JsonObject> lines() {
    try {
      return Files.exists(file())
          ? Files.readAllLines(file()).stream().map(JsonObject::new).toList()
          : List.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The lines of a kind, when there are so many. */
  private List<JsonObject> lines(String event, int count) {
    await(() -> of(event).size() >= count, () -> count + " of " + event + " in " + lines());
    assertEquals(count, of(event).size());
    return of(event);
  }

  private List<JsonObject> of(String event) {
    return lines().stream().filter(line -> line.getString("event").equals(event)).toList();
  }

  @Test
  void aLoginIsALine() throws IOException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    Instant before = Instant.now();
    ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
            .setUser("alice")
            .setRemoteHost("login1\n{\"event\":\"forged\"}"));
    JsonObject line = lines("session", 1).getFirst();
    assertTrue(!Instant.parse(line.getString("time")).isBefore(before), line::encode);
    assertTrue(line.getLong("took_ms") >= 0, line::encode);
    line.remove("time");
    line.remove("took_ms");
    assertEquals(
        """
        {"seq":2,"writer":"agent","host":"node2","event":"session","decision_id":"7-1",\
        "phase":"account","uid":2001,"user":"alice","service":"sshd",\
        "rhost":"login1\\n{\\"event\\":\\"forged\\"}","local":"10.77.0.2:22",\
        "remote":"10.77.0.1:40000","decision":"adopted","reason":"only-job","job":41,\
        "step":"extern","doubt":null,"would":null,"would_job":null}\
        """,
        line.encode());
    assertEquals("9.9", lines("start", 1).getFirst().getString("version"));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    await(
        () -> node.registry.counter("rollcall.audit.lines").count() == 2, () -> "two are counted");
  }

  /** Both recipes of docs/audit.md count the same, and name only fields of a line. */
  @Test
  void recipesCountTheLoginsOfEachUser() throws IOException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    for (int uid : new int[] {TestNode.ALICE, TestNode.BOB, TestNode.ALICE}) {
      ModuleRequest.ask(
          node.loginSocket(),
          ModuleRequest.login(uid, TestNode.callFrom(TestNode.FAR, 40_000)).setUser("u" + uid));
    }
    List<JsonObject> lines = lines("session", 3);
    Path page = Path.of("../../docs/audit.md");
    assertEquals(
        Map.of("u2001", 2L),
        Logql.of(CodeBlock.beginning(page, "sum by (user)").text()).count(lines));
    assertEquals(
        Map.of("u2002,no-jobs", 1L),
        Logql.of(CodeBlock.beginning(page, "topk").text()).count(lines));
    String jq =
        CodeBlock.beginning(page, "zcat")
            .text()
            .replace("/var/log/rollcall/audit.jsonl*", "" + file());
    assertEquals(
        "2 u2001", Running.run(Duration.ofSeconds(30), List.of("sh", "-c", jq)).out().strip());
    Pattern.compile("\"(\\w+)\" = \"\\1\"")
        .matcher(CodeBlock.beginning(page, "loki.source").text())
        .results()
        .forEach(field -> assertTrue(lines.getFirst().containsKey(field.group(1)), field.group()));
  }

  /** What counts lines in a query of the page: no more of the language than it uses. */
  private record Logql(List<String> by, List<String> fields, Map<String, Pattern> filters) {
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern FIELD = Pattern.compile("[ ,](\\w+)=\"\\1\"");
    private static final Pattern FILTER = Pattern.compile("[|,] (\\w+)=~?\"([^\"]+)\"(?=[ }])");

    static Logql of(String query) {
      Map<String, Pattern> filters =
          FILTER
              .matcher(query)
              .results()
              .filter(one -> !one.group(1).equals(one.group(2)))
              .collect(toMap(one -> one.group(1), one -> Pattern.compile(one.group(2))));
      List<String> fields = FIELD.matcher(query).results().map(one -> one.group(1)).toList();
      return new Logql(
          BY.matcher(query).results().flatMap(one -> Stream.of(one.group(1).split(", "))).toList(),
          fields,
          filters);
    }

    Map<String, Long> count(List<JsonObject> lines) {
      assertTrue(fields.containsAll(by), fields::toString);
      assertTrue(lines.getFirst().fieldNames().containsAll(fields), fields::toString);
      return lines.stream()
          .filter(line ->
              filters.entrySet().stream()
                  .allMatch(
                      one -> one.getValue().matcher("" + line.getValue(one.getKey())).matches()))
          .collect(
              groupingBy(
                  line -> by.stream().map(line::getString).collect(joining(",")), counting()));
    }
  }

  private static String without(JsonObject line, String field) {
    line.remove(field);
    return line.encode();
  }

  @Test
  void theSessionPhaseThatRepeatsADecisionIsNoSecondLine() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    login(TestNode.ALICE, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    login(TestNode.ALICE, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_OPEN_SESSION);
    login(TestNode.BOB, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    List<JsonObject> lines = lines("session", 2);
    assertEquals("adopted", lines.getFirst().getString("decision"));
    JsonObject denied = lines.getLast();
    assertEquals("denied", denied.getString("decision"));
    assertEquals("no-jobs", denied.getString("reason"));
    assertEquals(null, denied.getValue("job"));
  }

  private void login(int uid, dev.rollcall.proto.loginsocket.v1.Phase phase) {
    ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(uid, TestNode.callFrom(TestNode.FAR, 40_000)).setPhase(phase));
  }

  /** Namespaces that are found only after a while. */
  private void contain(CountDownLatch found, CountDownLatch closed) {
    node.jobs.contain(
        TestNode.OLDER,
        () -> {
          awaitIt(found);
          return new JobNamespaces() {
            @Override
            public void close() {
              closed.countDown();
            }
          };
        });
  }

  private LoginRequest.Builder sessionIn50Ms() {
    return ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
        .setPhase(dev.rollcall.proto.loginsocket.v1.Phase.PHASE_OPEN_SESSION)
        .setPatienceMs(50);
  }

  private double sessions(String outcome) {
    return node.registry.get("rollcall.adopt.sessions").tag("outcome", outcome).counter().count();
  }

  @Test
  void aLoginThatIsNotCarriedOutInTimeIsOneLineWhateverBecomesOfItLater() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var found = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    contain(found, closed);
    var reply = ModuleRequest.ask(node.loginSocket(), sessionIn50Ms());
    JsonObject line = lines("session", 1).getFirst();
    assertEquals(reply.getAdoptionId(), line.getString("decision_id"));
    assertEquals("failed", line.getString("decision"));
    assertEquals("generic-failure", line.getString("reason"));
    assertEquals("somebody", line.getString("user"));
    assertEquals("it was not carried out before its deadline", line.getString("doubt"));
    found.countDown();
    awaitIt(closed);
    login(TestNode.BOB, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    assertEquals(2002, lines("session", 2).getLast().getInteger("uid"));
    var known = node.bus.ask(Queries.ADOPTIONS_LISTED, AdoptionsWanted.ALL, Bus.AT_ONCE).await();
    assertEquals(List.of(2002, 2001), known.stream().map(each -> each.adoption().uid()).toList());
    assertEquals(List.of(0.0, 1.0), List.of(sessions("adopted"), sessions("failed")));
    assertEquals(1, node.registry.counter("rollcall.login.undecided", "reason", "failed").count());
  }

  @Test
  void aLoginThatEndsAfterItsDeadlineHasFailed() throws IOException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var found = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    contain(found, closed);
    try (var request = new ModuleRequest(node.loginSocket())) {
      request.send(ModuleRequest.frame(sessionIn50Ms().build().toByteArray()));
      long sent = System.nanoTime();
      await(() -> System.nanoTime() - sent > 100_000_000, () -> "the deadline passes");
      found.countDown();
      assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, request.reply().getOutcome());
    }
    JsonObject line = lines("session", 1).getFirst();
    assertEquals("failed", line.getString("decision"));
    assertEquals("its process entered job 41, but after the deadline", line.getString("doubt"));
    awaitIt(closed);
    assertEquals(List.of(0.0, 1.0), List.of(sessions("adopted"), sessions("failed")));
  }

  @Test
  void aSessionPhaseThatIsNotCarriedOutInTimeCorrectsTheRecordOfItsLogin() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    login(TestNode.ALICE, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    assertEquals("adopted", lines("session", 1).getFirst().getString("decision"));
    var found = new CountDownLatch(1);
    var closed = new CountDownLatch(1);
    contain(found, closed);
    var reply = ModuleRequest.ask(node.loginSocket(), sessionIn50Ms());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    JsonObject line = lines("session", 2).getLast();
    assertEquals("7-1", line.getString("decision_id"));
    assertEquals("failed", line.getString("decision"));
    found.countDown();
    awaitIt(closed);
    login(TestNode.BOB, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    assertEquals(2002, lines("session", 3).getLast().getInteger("uid"));
    assertEquals(
        List.of("DENIED", "FAILED"),
        node.bus.ask(Queries.ADOPTIONS_LISTED, AdoptionsWanted.ALL, Bus.AT_ONCE).await().stream()
            .map(each -> each.adoption().outcome().name())
            .toList());
  }

  /** The agent has no time for a while: its answer comes after the deadline. */
  private LoginReply answeredLate(Mover mover) {
    node.auditOnly.uids =
        new AbstractSet<>() {
          @Override
          public boolean contains(Object uid) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            return false;
          }

          @Override
          public Iterator<Integer> iterator() {
            return List.of(0).iterator();
          }

          @Override
          public int size() {
            return 1;
          }
        };
    return ModuleRequest.ask(
        node.loginSocket(),
        sessionIn50Ms()
            .setPhase(dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT)
            .setMover(mover));
  }

  @Test
  void aRefusalAfterTheDeadlineIsTheFailureThatTheModuleGets() {
    LoginReply reply = answeredLate(Mover.MOVER_UNSPECIFIED);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    JsonObject line = lines("session", 1).getFirst();
    assertEquals(reply.getAdoptionId(), line.getString("decision_id"));
    assertEquals("failed", line.getString("decision"));
  }

  @Test
  void aLoginThatIsLeftToTheModuleTooLateIsALine() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    LoginReply reply = answeredLate(Mover.MOVER_MODULE);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    JsonObject line = lines("session", 1).getFirst();
    assertEquals(reply.getAdoptionId(), line.getString("decision_id"));
    assertEquals("failed", line.getString("decision"));
    assertEquals("it was not decided before its deadline", line.getString("doubt"));
  }

  private static void awaitIt(CountDownLatch latch) {
    try {
      assertTrue(latch.await(50, TimeUnit.SECONDS), "it did not happen");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private JobServiceFutureStub serve() {
    node.bus.answer(
        Queries.GATEWAY_STATE, _ -> Future.succeededFuture(new GatewayState.Absent("none")));
    node.deploy(
        new ServeVerticle(
            node.bus,
            node.usersSocket(),
            node.jobs,
            TestNode.IDENTITY.node(),
            uid -> "user" + uid,
            Duration.ofSeconds(7),
            EnvironmentAllowList.DEFAULTS,
            node.users,
            UserMoves.FROM_NO_JOB,
            node.workers,
            TestNode.IS_OWN,
            PeerBounds.agentMemory(node.registry),
            node.registry));
    return JobServiceGrpc.newFutureStub(channel());
  }

  private LocalChannel channel() {
    return new LocalChannel(socket());
  }

  private Path socket() {
    return node.directory.resolve("agent.sock");
  }

  private <T> T get(Supplier<? extends java.util.concurrent.Future<T>> call) throws Exception {
    return node.onLoop(call).get(20, TimeUnit.SECONDS);
  }

  private void fails(Supplier<? extends java.util.concurrent.Future<?>> call) {
    java.util.concurrent.Future<?> answer = node.onLoop(call);
    assertThrows(ExecutionException.class, () -> answer.get(20, TimeUnit.SECONDS));
  }

  @Test
  void whatChangesAJobIsALineWithWhoItWasAndWhatCameOfIt() throws Exception {
    JobServiceFutureStub jobs = serve();
    get(() -> jobs.begin(BeginRequest.newBuilder().setJobId(7).setUid(2001).build()));
    get(() -> jobs.list(ListRequest.getDefaultInstance()));
    fails(() -> jobs.limit(LimitRequest.newBuilder().setJobId(7).setStep("3").build()));
    fails(() -> jobs.suspend(SuspendRequest.newBuilder().setJobId(8).build()));
    var sleep = node.jobs.start("sleep");
    node.jobs.enter(
        sleep,
        new dev.rollcall.model.JobStep(
            new dev.rollcall.model.JobId(7), dev.rollcall.model.StepId.of(0)));
    sleep.killable(false);
    get(() -> jobs.end(EndRequest.newBuilder().setJobId(7).build()));
    var adoptions = AdoptionServiceGrpc.newFutureStub(channel());
    fails(() -> adoptions.switch_(SwitchRequest.newBuilder().setJobId(99).build()));
    List<String> told =
        lines("call", 5).stream().map(line -> without(withoutPeer(line), "seq")).toList();
    assertEquals(
        List.of(
            call("JobService/Begin", 7, "null", "2001", "done", "OK", "null"),
            call(
                "JobService/Limit",
                7,
                "\"3\"",
                "null",
                "failed",
                "NOT_FOUND",
                "\"step 7.3 is not on this node\""),
            call(
                "JobService/Suspend",
                8,
                "null",
                "null",
                "failed",
                "NOT_FOUND",
                "\"job 8 is not on this node\""),
            call("JobService/End", 7, "null", "null", "unclean", "OK", "\"processes do not end\""),
            call(
                "AdoptionService/Switch",
                99,
                "null",
                "null",
                "failed",
                "NOT_FOUND",
                "\"you have no such job on this node\"")),
        told);
  }

  private JsonObject withoutPeer(JsonObject line) {
    assertEquals(ProcessHandle.current().pid(), line.getLong("pid"));
    assertEquals(0, line.getLong("uid"));
    assertEquals("root", line.getString("role"));
    assertEquals("root", line.getString("name"));
    for (String field : List.of("time", "writer", "host", "event", "role", "name", "uid", "pid")) {
      line.remove(field);
    }
    return line;
  }

  private static String call(
      String method,
      long job,
      String step,
      String forUid,
      String outcome,
      String status,
      String detail) {
    return """
    {"for_uid":%s,"method":"rollcall.v1.%s","job":%d,"step":%s,"outcome":"%s","status":"%s",\
    "detail":%s}\
    """
        .formatted(forUid, method, job, step, outcome, status, detail);
  }

  private static CallOutcome outcome(Status status, boolean begun) {
    return new CallOutcome(
        "rollcall.v1.AdoptionService/Adopt",
        /* onlyReads= */ false,
        begun,
        Optional.of(7L),
        "",
        Optional.empty(),
        status,
        "");
  }

  private void refusedAThousandTimes() {
    var refused = outcome(Status.PERMISSION_DENIED.withDescription("root only"), true);
    for (int at = 0; at < 500; at++) {
      node.bus.tell(Topics.CALL_SERVED, new ServedCall(TestNode.ALICE, 9, refused));
      node.bus.tell(Topics.CALL_SERVED, new ServedCall(300_000 + at, 9, refused));
    }
  }

  @Test
  void aChangeHasItsLineWhateverWasRefusedBefore() {
    refusedAThousandTimes();
    var done = new ServedCall(TestNode.ALICE, 9, outcome(Status.OK, true));
    var left = new ServedCall(300_001, 9, outcome(Status.CANCELLED, true));
    var never = new ServedCall(TestNode.ALICE, 9, outcome(Status.CANCELLED, false));
    for (int at = 0; at < 50; at++) {
      List.of(done, left, never).forEach(call -> node.bus.tell(Topics.CALL_SERVED, call));
    }
    await(() -> !of("left-out").isEmpty(), () -> "what was left out is told");
    Map<String, Long> lines =
        of("call").stream()
            .collect(groupingBy(line -> line.getString("outcome"), TreeMap::new, counting()));
    assertEquals(50, lines.get("done"));
    assertEquals(50, lines.get("cancelled"), "those that may have been carried out");
    assertEquals(10, lines.get("refused"), "of all uids of a user");
  }

  @Test
  void aUserWhoIsRefusedAThousandTimesDoesNotFillADisk() {
    refusedAThousandTimes();
    var refused = outcome(Status.PERMISSION_DENIED.withDescription("root only"), true);
    node.bus.tell(Topics.CALL_SERVED, new ServedCall(TestNode.BOB, 9, refused));
    await(() -> !of("left-out").isEmpty(), () -> "what was left out is told");
    List<JsonObject> calls = of("call");
    JsonObject leftOut = of("left-out").getFirst();
    assertEquals(1_001, calls.size() + requireNonNull(leftOut.getLong("count")));
    assertTrue(calls.size() < 20, () -> calls.size() + " lines");
    assertEquals("user2002", calls.getLast().getString("name"));
    assertEquals("refused", calls.getLast().getString("outcome"));
  }

  @Test
  void aFullDiskHoldsNoLogin() throws IOException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    await(() -> lines().size() == 1, () -> "the start is written");
    Files.delete(file());
    // write(2) to it is ENOSPC.
    Files.createSymbolicLink(file(), Path.of("/dev/full"));
    login(TestNode.ALICE, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    await(
        () -> node.registry.counter("rollcall.audit.failures").count() > 0,
        () -> "the failure is counted");
    assertEquals(1, node.registry.get("rollcall.audit.waiting").gauge().value());
    assertEquals(0, node.registry.counter("rollcall.audit.lost").count());
    login(TestNode.ALICE, dev.rollcall.proto.loginsocket.v1.Phase.PHASE_ACCOUNT);
    await(
        () -> node.registry.get("rollcall.audit.waiting").gauge().value() == 2,
        () -> "both logins wait");
    Files.delete(file());
    assertEquals(2, lines("session", 2).size());
  }
}
