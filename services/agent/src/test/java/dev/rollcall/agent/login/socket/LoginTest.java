package dev.rollcall.agent.login.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.adopt.AdoptionMeters;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.loginsocket.v1.Choice;
import dev.rollcall.proto.loginsocket.v1.EnvironmentVariable;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Mover;
import dev.rollcall.proto.loginsocket.v1.OfferedJob;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.testkit.log.LoggedLines;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A login's way through loginSocket, decide and adopt. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoginTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages().withLoginSocket();
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private LoginReply login(int uid) {
    return ModuleRequest.ask(
        node.loginSocket(), ModuleRequest.login(uid, TestNode.callFrom(TestNode.FAR, 40_000)));
  }

  private LoginReply loginFrom(InetAddress from) {
    return ModuleRequest.ask(
        node.loginSocket(), ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(from, 40_000)));
  }

  private void announce(Membership membership) {
    var caller =
        new Caller(
            "test",
            new NodeName("node1"),
            membership,
            TestNode.ALICE,
            new ProcessRef(9, 9),
            TestNode.NOON);
    node.bus.tell(
        Topics.CALL_ANNOUNCED,
        new AnnouncedCall(new Call(TestNode.callFrom(TestNode.FAR, 40_000), caller), 1, 1));
    // What the event loop is given later comes after it.
    node.onLoop(() -> true);
  }

  /** A login as the module sends it by default, whose caller was not pushed. */
  private LoginReply loginOfTwoJobs() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    return ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
            .setPatienceMs(0));
  }

  @Test
  void aSlowSourceNodeHasASecondToNameTheRightJob() {
    node.bus.answer(
        Queries.CALLER_IN_ROLL,
        _ ->
            node.vertx
                .timer(900, TimeUnit.MILLISECONDS)
                .map(_ -> new CallerAnswer.Found(callerIn(TestNode.OLDER))));
    LoginReply reply = loginOfTwoJobs();
    assertEquals(TestNode.OLDER.number(), reply.getJobId(), reply.toString());
  }

  @Test
  void aSourceNodeThatHangsIsGivenUpAfterASecondAndTheJobIsAGuessWithDoubt() {
    node.bus.answer(
        Queries.CALLER_IN_ROLL,
        question ->
            node.vertx
                .timer(question.patience().toMillis(), TimeUnit.MILLISECONDS)
                .map(_ -> new CallerAnswer.Unreachable("node node1 did not answer")));
    long begun = System.nanoTime();
    LoginReply reply = loginOfTwoJobs();
    long millis = (System.nanoTime() - begun) / 1_000_000;
    assertEquals(TestNode.NEWER.number(), reply.getJobId(), reply.toString());
    assertTrue(millis >= 1_000, millis + " ms");
    assertTrue(reply.toString().contains("node node1 did not answer"), reply.toString());
  }

  private static Caller callerIn(JobId job) {
    return new Caller(
        "test",
        new NodeName("node1"),
        new Membership.InJob(new JobStep(job, StepId.of(0))),
        TestNode.ALICE,
        new ProcessRef(9, 9),
        TestNode.NOON);
  }

  @Test
  void isAFailureOfTheAgentIfTheJobsOfTheNodeAreUnknown() {
    node.jobs.unknown(Optional.of("Slurm's spool directory /s is no directory"));
    LoginReply reply;
    try (var logged = LoggedLines.of(AdoptionMeters.class.getName())) {
      reply = login(TestNode.ALICE);
      assertEquals(
          List.of(
              "a login was not decided: the jobs of this node are unknown: Slurm's spool directory"
                  + " /s is no directory (1 times since the start; logged at most once a minute)"),
          logged.lines());
    }
    assertEquals(1, undecided());
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    assertEquals(
        "the jobs of this node are unknown: Slurm's spool directory /s is no directory",
        reply.getMessage());
    // Jobs that were known before are still used.
    node.job(TestNode.OLDER, TestNode.BOB, JobState.OPEN, 0);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, login(TestNode.BOB).getOutcome());
    node.jobs.unknown(Optional.empty());
    LoginReply known =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 41)));
    assertEquals("no-jobs", known.getReason());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isLeftAsItIsWhereTheSiteOnlyWatches(boolean groupsAreAsked) {
    node.auditOnly.uids = Set.of(TestNode.ALICE);
    node.auditOnly.blocks = groupsAreAsked;
    node.auditOnly.answers.countDown();
    var told = node.logins(Adoption.Outcome.STEPPED_ASIDE);
    assertEquals(0, unenforced("deny"));
    LoginReply reply = login(TestNode.ALICE);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_STEP_ASIDE, reply.getOutcome());
    assertEquals("no-jobs", reply.getReason());
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    // The session phase repeats what the account phase decided, and is not told again.
    assertEquals(reply, sessionPhase());
    LoginReply second =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 41)));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_STEP_ASIDE, second.getOutcome());
    assertEquals(0, second.getEnvironmentCount());
    assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(node.lastPeer));
    assertEquals(List.of("7-1 Deny", "7-2 Adopt"), List.of(would(told.next()), would(told.next())));
    assertEquals(1, unenforced("deny"));
    assertEquals(1, unenforced("adopt"));
    // Others' decisions are carried out, and hers again when the site says so.
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, login(TestNode.BOB).getOutcome());
    node.auditOnly.uids = Set.of();
    LoginReply third =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 42)));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, third.getOutcome());
  }

  @Test
  void isDecidedAsEverWhereGroupsAreNotToldInTime() {
    node.auditOnly.uids = Set.of(TestNode.ALICE);
    node.auditOnly.blocks = true;
    LoginReply reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
                .setPatienceMs(300));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, reply.getOutcome());
    node.auditOnly.answers.countDown();
  }

  private LoginReply sessionPhase() {
    return ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
            .setPhase(Phase.PHASE_OPEN_SESSION));
  }

  private static String would(Adoption adoption) {
    return adoption.id() + " " + adoption.would().orElseThrow().getClass().getSimpleName();
  }

  private double undecided() {
    return node.registry.counter("rollcall.login.undecided", "reason", "failed").count();
  }

  private double unenforced(String would) {
    return node.registry.get("rollcall.decide.unenforced").tag("would", would).counter().count();
  }

  @Test
  void entersTheOnlyJob() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    LoginReply reply = login(TestNode.ALICE);
    assertEquals(
        LoginReply.newBuilder()
            .setOutcome(ReplyOutcome.REPLY_OUTCOME_ADOPTED)
            .setJobId(41)
            .setCgroupPath("/rollcall.scope/job_41/step_extern/user/session_1")
            .addEnvironment(variable("SLURM_JOB_ID", "41"))
            .addEnvironment(variable("ROLLCALL_REASON", "only-job"))
            .addEnvironment(variable("ROLLCALL_ADOPTION", "7-1"))
            .setAdoptionId("7-1")
            .setReason("only-job")
            .build(),
        reply);
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.EXTERN))),
        node.jobs.membershipOf(node.lastPeer));
  }

  @Test
  void anAnnouncedCallHasTheMovePrepared() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    login(TestNode.ALICE);
    assertEquals(0, node.expectedMoves.get());
    announce(new Membership.NoJob());
    login(TestNode.ALICE);
    assertEquals(1, node.expectedMoves.get());
  }

  @Test
  void whoArrivesHasTheMovePreparedWhereJobsAre() {
    arrive();
    assertEquals(0, node.expectedMoves.get(), "a node without jobs");
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    arrive();
    assertEquals(1, node.expectedMoves.get());
  }

  /** Returns when it is heard: one turn of the event loop tells it, and the next one hears it. */
  private void arrive() {
    node.calls.arrive();
    for (int turn = 0; turn < 3; turn++) {
      node.onLoop(() -> true);
    }
  }

  private LoginReply loginWithSetup(boolean disableX11) {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var environment = new LinkedHashMap<String, String>();
    environment.put("SLURM_JOB_ID", "666");
    environment.put("SLURM_JOB_NODELIST", "node[1-2]");
    environment.put("CUDA_VISIBLE_DEVICES", "0,1");
    environment.put("LD_PRELOAD", "/tmp/evil.so");
    environment.put("EDITOR", "ed");
    node.jobs.setUp(
        TestNode.OLDER,
        new SessionSetup(
            environment, OptionalInt.empty(), List.of(), Map.of("DISPLAY", "localhost:50.0")));
    return ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 1))
            .setOptions(Options.newBuilder().setDisableX11(disableX11)));
  }

  @Test
  void getsTheJobsVariablesThatTheListNames() {
    assertEquals(
        List.of(
            variable("SLURM_JOB_ID", "41"),
            variable("ROLLCALL_REASON", "only-job"),
            variable("ROLLCALL_ADOPTION", "7-1"),
            variable("CUDA_VISIBLE_DEVICES", "0,1"),
            variable("SLURM_JOB_NODELIST", "node[1-2]"),
            variable("DISPLAY", "localhost:50.0")),
        loginWithSetup(false).getEnvironmentList());
  }

  @Test
  void getsNoDisplayWhereX11IsDisabled() {
    assertEquals(
        List.of(),
        loginWithSetup(true).getEnvironmentList().stream()
            .filter(each -> each.getName().equals("DISPLAY"))
            .toList());
  }

  private static EnvironmentVariable variable(String name, String value) {
    return EnvironmentVariable.newBuilder().setName(name).setValue(value).build();
  }

  @Test
  void isRefusedWithoutAJobAndToldWhy() {
    LoginReply reply = login(TestNode.BOB);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, reply.getOutcome());
    assertEquals(
        "you have no active jobs on this node, or one is still starting", reply.getMessage());
  }

  @Test
  void followsTheAnnouncedCallerOnce() {
    node.twoJobsOfAlice();
    announce(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.of(0))));
    assertEquals("caller-job", login(TestNode.ALICE).getReason());
    LoginReply again = login(TestNode.ALICE);
    assertEquals("newest-job", again.getReason());
    assertEquals(42, again.getJobId());
  }

  @Test
  void isNotLedIntoAnotherUsersJob() {
    node.twoJobsOfAlice();
    node.job(new JobId(50), TestNode.BOB, JobState.OPEN, 2);
    announce(new Membership.InJob(new JobStep(new JobId(50), StepId.of(0))));
    LoginReply reply = login(TestNode.ALICE);
    assertEquals(42, reply.getJobId());
    assertEquals("caller-elsewhere", reply.getReason());
    assertEquals(
        1, node.registry.counter("rollcall.decide.sessions", "reason", "caller-elsewhere").count());
    assertEquals(1, node.registry.counter("rollcall.decide.logins", "by", "agent").count());
  }

  private LoginReply suIn(JobId job, int port) {
    node.peerStep = Optional.of(new JobStep(job, StepId.of(0)));
    return ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, port))
            .setService("su"));
  }

  @Test
  void staysInTheJobOfItsUserThatItsProcessIsInWhateverWasChosen() {
    node.twoJobsOfAlice();
    node.onLoop(() ->
        node.bus.ask(
            Queries.JOB_CHOSEN,
            new JobChosen(TestNode.ALICE, Optional.of(TestNode.NEWER)),
            Duration.ofSeconds(20)));
    var recorded = node.logins(Adoption.Outcome.ADOPTED);
    LoginReply reply = suIn(TestNode.OLDER, 1);
    assertEquals("caller-job", reply.getReason());
    assertEquals(41, reply.getJobId());
    var where = new JobStep(TestNode.OLDER, StepId.of(0));
    assertEquals(Optional.of(where), recorded.next().job());
    assertEquals(Optional.of(new Membership.InJob(where)), node.jobs.membershipOf(node.lastPeer));
  }

  @Test
  void leavesNoJobOfItsUserThatIsSuspended() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.SUSPENDED, 0);
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    LoginReply reply = suIn(TestNode.OLDER, 1);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    assertEquals("job 41 is suspended", reply.getMessage());
  }

  @Test
  void leavesTheJobOfAnotherUser() {
    node.twoJobsOfAlice();
    node.job(new JobId(50), TestNode.BOB, JobState.OPEN, 2);
    assertEquals(42, suIn(new JobId(50), 1).getJobId());
  }

  @Test
  void leavesAJobOfItsUserWhereUsersMayMoveBetweenTheirs() throws IOException {
    node.close();
    node = new TestNode();
    node.userMoves = Jobs.From.OPEN_JOB;
    node.withStages().withLoginSocket();
    node.twoJobsOfAlice();
    assertEquals(42, suIn(TestNode.OLDER, 1).getJobId());
  }

  @Test
  void findsACallerOnTheSameNodeByItself() {
    node.twoJobsOfAlice();
    var ssh = node.jobs.start("ssh");
    node.jobs.enter(ssh, new JobStep(TestNode.OLDER, StepId.of(0)));
    node.calls.call(node.seen(TestNode.callFrom(TestNode.HERE, 40_000), ssh.ref(), TestNode.ALICE));
    LoginReply reply = loginFrom(TestNode.HERE);
    assertEquals("caller-job", reply.getReason());
    assertEquals(41, reply.getJobId());
  }

  /** Look-ups of calls from this port on take until this is counted down. */
  private CountDownLatch callsHangFrom(int port) {
    var found = new CountDownLatch(1);
    node.calls.beforeFind(call -> {
      if (call.local().port() >= port) {
        try {
          assertTrue(found.await(50, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    });
    return found;
  }

  @Test
  void isDecidedInTimeThoughTheSearchForItsCallerOnTheSameNodeHangs() {
    node.twoJobsOfAlice();
    CountDownLatch found = callsHangFrom(1);
    LoginReply reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.HERE, 40_000))
                .setPatienceMs(800));
    found.countDown();
    assertEquals("newest-job", reply.getReason());
    assertTrue(
        reply
            .getEnvironmentList()
            .contains(variable("ROLLCALL_DOUBT", "the call was not found on this node in time")),
        reply.toString());
  }

  @Test
  void findsItsCallerThoughSearchesForAnotherUsersCallersHang() throws IOException {
    node.twoJobsOfAlice();
    node.job(new JobId(51), TestNode.BOB, JobState.OPEN, 0);
    node.job(new JobId(52), TestNode.BOB, JobState.OPEN, 1);
    var ssh = node.jobs.start("ssh");
    node.jobs.enter(ssh, new JobStep(new JobId(51), StepId.of(0)));
    node.calls.call(node.seen(TestNode.callFrom(TestNode.HERE, 40_000), ssh.ref(), TestNode.BOB));
    CountDownLatch found = callsHangFrom(50_000);
    var others = new ArrayList<ModuleRequest>();
    try {
      for (int port = 50_000; port < 50_008; port++) {
        var request = new ModuleRequest(node.loginSocket());
        others.add(request);
        request.send(
            ModuleRequest.frame(
                ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.HERE, port))
                    .build()
                    .toByteArray()));
      }
      dev.rollcall.testkit.process.Await.until(
          "the logins are under way",
          () -> node.registry.get("rollcall.login.requests.under.way").gauge().value() == 8);
      LoginReply reply =
          ModuleRequest.ask(
              node.loginSocket(),
              ModuleRequest.login(TestNode.BOB, TestNode.callFrom(TestNode.HERE, 40_000)));
      assertEquals("caller-job", reply.getReason());
    } finally {
      found.countDown();
      for (ModuleRequest request : others) {
        request.close();
      }
    }
  }

  @Test
  void saysWhyTheNewestJobWasTaken() {
    node.twoJobsOfAlice();
    LoginReply reply = loginFrom(LOOPBACK);
    assertEquals("newest-job", reply.getReason());
    assertTrue(
        reply
            .getEnvironmentList()
            .contains(variable("ROLLCALL_DOUBT", "node2: no such call in the table")),
        reply.toString());
  }

  @Test
  void looksForTheCallerOfTheOnlyJobIfThePamLineAsksForIt() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    LoginReply reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(LOOPBACK, 40_000))
                .setOptions(Options.newBuilder().setSingleJobAskCaller(true)));
    assertEquals("only-job", reply.getReason());
    assertTrue(
        reply
            .getEnvironmentList()
            .contains(variable("ROLLCALL_DOUBT", "node2: no such call in the table")),
        reply.toString());
  }

  private LoginReply asked(Mover mover, int uid, InetAddress from) {
    return ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(uid, TestNode.callFrom(from, 40_000)).setMover(mover));
  }

  @Test
  void isLeftToAModuleThatMovesItsOwnProcess() {
    node.twoJobsOfAlice();
    assertEquals(
        LoginReply.newBuilder()
            .setOutcome(ReplyOutcome.REPLY_OUTCOME_JOIN)
            .setJobId(42)
            .setAdoptionId("7-1")
            .setReason("newest-job")
            .setDetail("node2: no such call in the table")
            .build(),
        asked(Mover.MOVER_MODULE, TestNode.ALICE, LOOPBACK));
    assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(node.lastPeer));
    assertEquals(
        0, node.registry.counter("rollcall.decide.sessions", "reason", "newest-job").count());
    LoginReply refused = asked(Mover.MOVER_MODULE, TestNode.BOB, TestNode.FAR);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, refused.getOutcome());
  }

  @Test
  void isMovedByTheAgentWhereTheModuleCouldNotByWhatWasFoundBefore() {
    node.twoJobsOfAlice();
    announce(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.of(0))));
    LoginReply join = asked(Mover.MOVER_MODULE, TestNode.ALICE, TestNode.FAR);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_JOIN, join.getOutcome());
    assertEquals(41, join.getJobId());
    // The announcement served once. What it said is kept for this.
    LoginReply moved = asked(Mover.MOVER_AGENT_INSTEAD, TestNode.ALICE, TestNode.FAR);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, moved.getOutcome());
    assertEquals("caller-job", moved.getReason());
    assertEquals(41, moved.getJobId());
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.EXTERN))),
        node.jobs.membershipOf(node.lastPeer));
    LoginReply other = asked(Mover.MOVER_AGENT_INSTEAD, TestNode.ALICE, TestNode.FAR);
    assertEquals("newest-job", other.getReason());
  }

  private LoginRequest.Builder askable(InetAddress from) {
    return ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(from, 40_000))
        .setOptions(Options.newBuilder().setChoose(true));
  }

  private double offers() {
    return node.registry.counter("rollcall.decide.offers").count();
  }

  @Test
  void isOfferedTheUsersJobsAndEntersTheChosenOne() {
    node.twoJobsOfAlice();
    node.job(new JobId(50), TestNode.BOB, JobState.OPEN, 2);
    var told = node.logins(Adoption.Outcome.ADOPTED);
    LoginReply offer = ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_CHOOSE, offer.getOutcome());
    assertEquals(
        List.of(42L, 41L), offer.getOfferedJobsList().stream().map(OfferedJob::getJobId).toList());
    assertEquals(Optional.of(new Membership.NoJob()), node.jobs.membershipOf(node.lastPeer));
    assertEquals(0, node.registry.get("rollcall.login.requests.under.way").gauge().value());
    LoginReply reply =
        ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR).setChosenJobId(41));
    assertEquals("chosen-job", reply.getReason());
    assertEquals(41, reply.getJobId());
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.EXTERN))),
        node.jobs.membershipOf(node.lastPeer));
    LoginReply session =
        ModuleRequest.ask(
            node.loginSocket(), askable(TestNode.FAR).setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals(41, session.getJobId());
    assertEquals(reply.getAdoptionId(), session.getAdoptionId());
    assertEquals(reply.getAdoptionId(), told.next().id());
    assertEquals(1, offers());
  }

  @Test
  void isOfferedThemAgainWhenTheAnswerIsNoJobOfTheirs() {
    node.twoJobsOfAlice();
    node.job(new JobId(50), TestNode.BOB, JobState.OPEN, 2);
    for (long wrong : new long[] {50, 99}) {
      LoginReply reply =
          ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR).setChosenJobId(wrong));
      assertEquals(ReplyOutcome.REPLY_OUTCOME_CHOOSE, reply.getOutcome());
    }
    LoginReply none =
        ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR).setChosenJobId(0));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, none.getOutcome());
  }

  @Test
  void isDecidedAsEverWhenNoneIsChosenByWhatWasFoundBefore() {
    node.twoJobsOfAlice();
    announce(new Membership.NoJob());
    ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR));
    LoginReply reply =
        ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR).setNoneChosen(true));
    assertEquals("caller-elsewhere", reply.getReason());
    assertEquals(42, reply.getJobId());
    // The announcement served once, for the offer: it was not asked for a second time.
    assertTrue(
        reply
            .getEnvironmentList()
            .contains(variable("ROLLCALL_DOUBT", "the caller on node1 is in no job")),
        reply.toString());
  }

  @Test
  void isNotOfferedAnythingWhereSomethingElseDecides() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    assertEquals(
        "only-job", ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR)).getReason());
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    announce(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.of(0))));
    assertEquals(
        "caller-job", ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR)).getReason());
    assertEquals("newest-job", login(TestNode.ALICE).getReason());
    assertEquals(0, offers());
  }

  @Test
  void isNotOfferedAnythingWhereTheSessionPhaseWouldNotFindIt() {
    node.twoJobsOfAlice();
    LoginRequest.Builder unconnected =
        askable(TestNode.FAR)
            .clearLocalAddress()
            .clearLocalPort()
            .clearRemoteAddress()
            .clearRemotePort()
            .setConnectionProblem("no established connection from 10.77.0.1");
    assertEquals("newest-job", ModuleRequest.ask(node.loginSocket(), unconnected).getReason());
    LoginReply session =
        ModuleRequest.ask(node.loginSocket(), askable(LOOPBACK).setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals("newest-job", session.getReason());
  }

  @Test
  void isNotOfferedAnythingWhereTheSiteOnlyWatches() {
    node.twoJobsOfAlice();
    node.auditOnly.uids = Set.of(TestNode.ALICE);
    node.auditOnly.answers.countDown();
    LoginReply reply = ModuleRequest.ask(node.loginSocket(), askable(TestNode.FAR));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_STEP_ASIDE, reply.getOutcome());
    assertEquals("newest-job", reply.getReason());
  }

  @Test
  void isDecidedTheSameWayInTheSessionPhase() {
    node.twoJobsOfAlice();
    announce(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.of(0))));
    LoginReply account = login(TestNode.ALICE);
    LoginReply session =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
                .setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals(41, session.getJobId());
    assertEquals(account.getAdoptionId(), session.getAdoptionId());
    assertEquals(
        Optional.of(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.EXTERN))),
        node.jobs.membershipOf(node.lastPeer));
  }

  @Test
  void isDecidedAnewInTheSessionPhaseWhenTheJobHasEnded() {
    node.twoJobsOfAlice();
    announce(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.of(0))));
    LoginReply account = login(TestNode.ALICE);
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.CLOSED, 0);
    LoginReply session =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
                .setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals(42, session.getJobId());
    assertNotEquals(account.getAdoptionId(), session.getAdoptionId());
  }

  @Test
  void isDecidedAnewInTheSessionPhaseWhenTheJobsNumberIsAnotherUsers() {
    node.twoJobsOfAlice();
    announce(new Membership.InJob(new JobStep(TestNode.OLDER, StepId.of(0))));
    LoginReply account = login(TestNode.ALICE);
    assertEquals(41, account.getJobId());
    node.job(TestNode.OLDER, TestNode.BOB, JobState.OPEN, 0);
    LoginReply session =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
                .setPhase(Phase.PHASE_OPEN_SESSION));
    assertEquals(42, session.getJobId());
    assertNotEquals(account.getAdoptionId(), session.getAdoptionId());
  }

  @Test
  void waitsForAJobThatBegins() throws IOException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.BEGINNING, 0);
    try (var knock = new ModuleRequest(node.loginSocket())) {
      knock.send(
          ModuleRequest.frame(
              ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 1))
                  .build()
                  .toByteArray()));
      dev.rollcall.testkit.process.Await.until(
          "the login is under way",
          () -> node.registry.get("rollcall.login.requests.under.way").gauge().value() == 1);
      node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
      assertEquals(41, knock.reply().getJobId());
    }
  }

  @Test
  void isRecordedAsTheFailureThatTheModuleGetsWhereItsCgroupIsTooLong() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.sessionsIn("x".repeat(500) + "/");
    var failed = node.logins(Adoption.Outcome.FAILED);
    LoginReply reply = login(TestNode.ALICE);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, reply.getOutcome());
    assertEquals("the job's cgroup path is longer than 511 bytes", reply.getMessage());
    assertEquals(reply.getAdoptionId(), failed.next().id());
    assertEquals(
        0, node.registry.counter("rollcall.decide.sessions", "reason", "only-job").count());
  }

  @Test
  void isNotKeptOutByAnotherUsersLoginsThatWait() throws IOException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.BEGINNING, 0);
    node.job(TestNode.NEWER, TestNode.BOB, JobState.OPEN, 0);
    var waiting = new ArrayList<ModuleRequest>();
    try {
      for (int port = 1; port <= 256; port++) {
        var request = new ModuleRequest(node.loginSocket());
        waiting.add(request);
        request.send(
            ModuleRequest.frame(
                ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, port))
                    .setPatienceMs(60_000)
                    .build()
                    .toByteArray()));
      }
      dev.rollcall.testkit.process.Await.until(
          "the logins are under way",
          () -> node.registry.get("rollcall.login.requests.under.way").gauge().value() == 256);
      assertEquals(
          "too many logins are in progress, try again", login(TestNode.ALICE).getMessage());
      assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, login(TestNode.BOB).getOutcome());
      node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
      for (ModuleRequest request : waiting) {
        assertEquals(41, request.reply().getJobId());
      }
      assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, login(TestNode.ALICE).getOutcome());
    } finally {
      for (ModuleRequest request : waiting) {
        request.close();
      }
    }
  }

  @Test
  void isNotKeptOutByAnotherUsersSessionsThatClose() throws IOException {
    var closing = new AtomicInteger();
    node.bus.answer(
        Queries.SESSION_CLOSED,
        _ -> {
          closing.incrementAndGet();
          return Promise.<Optional<UsageRecord>>promise().future();
        });
    node.job(TestNode.NEWER, TestNode.BOB, JobState.OPEN, 0);
    var sessions = new ArrayList<ModuleRequest>();
    try {
      for (int port = 1; port <= 512; port++) {
        var request = new ModuleRequest(node.loginSocket());
        sessions.add(request);
        request.send(
            ModuleRequest.frame(
                ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, port))
                    .setPhase(Phase.PHASE_CLOSE_SESSION)
                    .build()
                    .toByteArray()));
      }
      dev.rollcall.testkit.process.Await.until("all close", () -> closing.get() == 512);
      assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, login(TestNode.BOB).getOutcome());
    } finally {
      for (ModuleRequest request : sessions) {
        request.close();
      }
    }
  }

  @Test
  void isAFailureOfTheAgentIfSomethingIsThrownAndCountsNoLonger() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.auditOnly.uids =
        new HashSet<>(List.of(TestNode.ALICE)) {
          private static final long serialVersionUID = 1L;

          @Override
          public boolean contains(Object uid) {
            throw new IllegalStateException("no rule is there");
          }
        };
    var failed = node.logins(Adoption.Outcome.FAILED);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_FAILED, login(TestNode.ALICE).getOutcome());
    assertEquals("no rule is there", failed.next().doubt());
    assertEquals(0, node.registry.get("rollcall.login.requests.under.way").gauge().value());
  }

  @Test
  void isToldToTryAgainWhenTheJobDoesNotBeginInTime() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.BEGINNING, 0);
    LoginReply reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 1))
                .setPatienceMs(100));
    assertEquals("job 41 is starting, try again", reply.getMessage());
  }

  @Test
  void isRefusedWhenTheMoveFails() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.refuseMoves(Optional.of("write(cgroup.procs) failed: EBUSY"));
    LoginReply reply = login(TestNode.ALICE);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_DENIED, reply.getOutcome());
    assertEquals("adopt-failure", reply.getReason());
    assertEquals(
        1, node.registry.counter("rollcall.decide.sessions", "reason", "adopt-failure").count());
  }

  @Test
  void isLetInWhenTheMoveFailsAndTheSiteSaysSo() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.refuseMoves(Optional.of("write(cgroup.procs) failed: EBUSY"));
    LoginReply reply =
        ModuleRequest.ask(
            node.loginSocket(),
            ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 1))
                .setOptions(Options.newBuilder().setActionAdoptFailure(Choice.CHOICE_ALLOW)));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ALLOWED, reply.getOutcome());
  }

  @Test
  void isToldAsAnEvent() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    var denied = node.logins(Adoption.Outcome.DENIED);
    login(TestNode.ALICE);
    login(TestNode.BOB);
    assertEquals(Optional.of(new JobStep(TestNode.OLDER, StepId.EXTERN)), adopted.next().job());
    assertEquals(List.of(TestNode.BOB), List.of(denied.next().uid()));
  }
}
