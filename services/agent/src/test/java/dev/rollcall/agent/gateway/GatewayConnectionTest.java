package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.LostSource;
import dev.rollcall.agent.event.OutsideProcessesFound;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.agent.login.socket.ModuleRequest;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.proto.roll.v1.AddressPrefix;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ConnectRequest.EventCase;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.JobFacts;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.MembershipQuestion;
import dev.rollcall.proto.roll.v1.OutsideProcessesQuestion;
import dev.rollcall.proto.roll.v1.PredictionQuestion;
import dev.rollcall.proto.roll.v1.ProcessesQuestion;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.RefusedAddress;
import dev.rollcall.proto.roll.v1.RefusedAddresses;
import dev.rollcall.proto.roll.v1.UsageQuestion;
import dev.rollcall.proto.roll.v1.Welcome;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.ProcessOnNode;
import dev.rollcall.proto.v1.UsageKind;
import dev.rollcall.proto.v1.UsagePoint;
import dev.rollcall.testkit.log.LoggedLines;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.PrefixMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connected, over a real port. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GatewayConnectionTest {
  private static final JobStep STEP = new JobStep(TestNode.OLDER, StepId.of(0));
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration MOST_AGE = Duration.ofSeconds(3);

  private final AtomicReference<Runnable> pinged = new AtomicReference<>(() -> {});
  private final AtomicInteger needed = new AtomicInteger();
  private final AtomicReference<Set<InetAddress>> addresses =
      new AtomicReference<>(Set.of(TestNode.HERE));
  private final AnnouncedAddresses announced = new AnnouncedAddresses(addresses::get);
  private TestNode node;
  private FakeGateway gateway;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages();
    gateway = new FakeGateway(node.vertx);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private void connect(Integer... ports) {
    List<GatewayTarget> gateways =
        Stream.of(ports)
            .map(port ->
                new GatewayTarget(
                    "127.0.0.1:" + port,
                    GrpcChannel.tcp(
                        node.vertx, "127.0.0.1", port, Optional.empty(), KeepAlive.CALM),
                    pinged::set,
                    needed::incrementAndGet))
            .toList();
    var self =
        new NodeSelf(
            "test",
            new NodeEpoch(new NodeName("node2"), "boot", 7),
            announced,
            "0.1.0",
            "sock_ops",
            uid -> "user" + uid);
    node.deploy(
        new GatewayVerticle(
            node.vertx,
            node.bus,
            node.beat,
            self,
            gateways,
            node.jobs,
            node.workers,
            node.registry));
  }

  private GatewayState description() {
    return TestNode.await(node.bus.ask(Queries.GATEWAY_STATE, new Empty(), Bus.AT_ONCE));
  }

  private CallerAnswer ask(Duration patience) {
    return TestNode.await(
        node.bus.ask(Queries.CALLER_IN_ROLL, question(patience), patience.plusSeconds(10)));
  }

  @Test
  void sendsAHeartbeatWithTheAnswerToAPing() {
    gateway.heartbeat(Duration.ofSeconds(10));
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    long from = System.nanoTime();
    long pings = node.vertx.setPeriodic(100, _ -> Objects.requireNonNull(pinged.get()).run());
    gateway.next(EventCase.HEARTBEAT);
    node.vertx.cancelTimer(pings);
    // Without pings it would come later.
    assertTrue(System.nanoTime() - from < Duration.ofSeconds(9).toNanos());
  }

  @Test
  void connectsAgainWithItsNewAddressesButNotAtOnce() {
    gateway.heartbeat(Duration.ofSeconds(1));
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    long from = System.nanoTime();
    InetAddress later = InetAddress.ofLiteral("10.78.0.2");
    addresses.set(Set.of(TestNode.HERE, later));
    announced.read();
    assertEquals(
        Set.of(CallerMapper.bytes(TestNode.HERE), CallerMapper.bytes(later)),
        Set.copyOf(gateway.next(EventCase.HELLO).getHello().getAddressesList()));
    long took = System.nanoTime() - from;
    assertTrue(
        took > GatewayVerticle.LEAST_STREAM.minusSeconds(5).toNanos(),
        "after " + took / 1_000_000 + " ms");
  }

  @Test
  void passesOnThePrefixesOfTheClusterAndKeepsTheLastValidOnes() {
    var heard = new LinkedBlockingQueue<ClusterPrefixes>();
    node.bus.hear(Topics.CLUSTER_PREFIXES, heard::add);
    var rack1 = new ClusterPrefixes(Set.of(Prefix.parse("10.1.0.0/24")));
    var racks =
        new ClusterPrefixes(Set.of(Prefix.parse("10.1.0.0/24"), Prefix.parse("10.2.0.0/24")));
    gateway.prefixes(rack1);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    Await.until("those of the welcome", () -> heard.contains(rack1));

    gateway.order(
        ConnectResponse.newBuilder()
            .setClusterPrefixes(
                dev.rollcall.proto.roll.v1.ClusterPrefixes.newBuilder()
                    .addPrefixes(
                        AddressPrefix.newBuilder().setAddress(ByteString.copyFrom(new byte[4])))));
    gateway.order(ConnectResponse.newBuilder().setClusterPrefixes(PrefixMapper.toProto(racks)));

    Await.until("those of later", () -> heard.contains(racks));
    assertEquals(2, heard.size(), "0.0.0.0/0 is not passed on");
    assertEquals(1, node.registry.counter("rollcall.stream.orders.bad").count());
  }

  private Future<Empty> warmUp() {
    return node.bus.ask(Queries.WARMED_UP, new Empty(), PATIENCE);
  }

  @Test
  void triesTheWayToAGatewayOnceBeforeItIsReady() {
    connect(gateway.port());
    Future<Empty> warm = warmUp();
    Question asked = gateway.next(EventCase.QUESTION).getQuestion();
    Connection call = CallerMapper.toModel(asked.getConnection(), "question");
    assertEquals(TestNode.HERE, call.local().address(), "an address of this node");
    assertFalse(warm.isComplete(), "it waits for the answer");
    gateway.order(
        ConnectResponse.newBuilder()
            .setAnswer(
                Answer.newBuilder()
                    .setQuestionId(asked.getQuestionId())
                    .setAnswer(CallerMapper.toProto(new CallerAnswer.Unknown("nobody")))));
    TestNode.await(warm);
    TestNode.await(warmUp()); // not again
  }

  @Test
  void withoutAGatewayThereIsNothingToTry() {
    gateway.close();
    connect(gateway.port());
    TestNode.await(warmUp());
  }

  @Test
  void reportsWhichOfItsAddressesAreNotAcceptedOnceForEachChange() {
    var heard = new LinkedBlockingQueue<StageHealth>();
    node.bus.hear(
        Topics.HEALTH_CHANGED,
        health -> {
          if (health.stage().equals("addresses")) {
            heard.add(health);
          }
        });
    var two =
        RefusedAddresses.newBuilder()
            .addAddresses(
                RefusedAddress.newBuilder()
                    .setAddress(CallerMapper.bytes(TestNode.HERE))
                    .setReason("claimed by node node1, too"))
            .setMore(1);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(ConnectResponse.newBuilder().setRefusedAddresses(two));
    gateway.order(ConnectResponse.newBuilder().setRefusedAddresses(two));
    for (var invalid :
        List.of(
            RefusedAddresses.newBuilder().setMore(5_000),
            two.clone().addAddresses(RefusedAddress.newBuilder().setReason("no address")),
            RefusedAddresses.newBuilder()
                .addAddresses(two.getAddresses(0).toBuilder().setReason("a\nline")),
            RefusedAddresses.newBuilder()
                .addAllAddresses(Collections.nCopies(65, two.getAddresses(0))))) {
      gateway.order(ConnectResponse.newBuilder().setRefusedAddresses(invalid));
    }
    var gauge = node.registry.get("rollcall.stream.addresses.refused").gauge();
    Await.until("they are counted", () -> gauge.value() == 2);
    var bad = node.registry.counter("rollcall.stream.orders.bad");
    Await.until("the others are not taken", () -> bad.count() == 4);

    gateway.order(
        ConnectResponse.newBuilder()
            .setRefusedAddresses(RefusedAddresses.getDefaultInstance().toBuilder()));

    Await.until("all are accepted", () -> gauge.value() == 0 && heard.size() == 2);
    assertEquals(
        List.of(
            new StageHealth(
                "addresses",
                false,
                false,
                "of this node, 2 addresses are not accepted: "
                    + AddressText.of(TestNode.HERE)
                    + " (claimed by node node1, too), …"),
            new StageHealth("addresses", false, true, "each address of this node is accepted")),
        List.copyOf(heard));
  }

  @Test
  void tellsItsFullStateAndThenChanges() {
    var sleep = node.jobs.start("sleep");
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.enter(sleep, STEP);
    connect(gateway.port());
    assertEquals(
        Hello.newBuilder()
            .setCluster("test")
            .setNode("node2")
            .setBootId("boot")
            .setEpoch(7)
            .addAddresses(CallerMapper.bytes(TestNode.HERE))
            .setVersion("0.1.0")
            .setCallSource("sock_ops")
            .build(),
        gateway.next().getHello());
    JobOnNode whole = gateway.next(EventCase.JOB).getJob();
    assertTrue(whole.getWhole());
    assertEquals("user2001", whole.getJob().getUser());
    assertEquals(
        CallerMapper.toProto(sleep.ref()), whole.getProcesses(0).getProcess(), "the job's process");
    assertTrue(gateway.next().hasStateComplete());

    var more = node.jobs.start("more");
    node.jobs.enter(more, STEP);
    sleep.exit();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.SUSPENDED, 0);
    JobOnNode change = gateway.next(EventCase.JOB).getJob();
    assertEquals(
        List.of(CallerMapper.toProto(more.ref())),
        change.getProcessesList().stream().map(process -> process.getProcess()).toList());
    assertEquals(List.of(CallerMapper.toProto(sleep.ref())), change.getGoneList());
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.CLOSED, 0);
    assertEquals(41, gateway.next(EventCase.JOB_GONE).getJobGone().getJobId());
  }

  @Test
  void sendsTheProcessOfAStepThatEntersAMomentLater() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    connect(gateway.port());
    JobOnNode first = gateway.next(EventCase.JOB).getJob();
    assertEquals(0, first.getProcessesCount());
    assertTrue(gateway.next().hasStateComplete());
    node.bus.tell(Topics.STEP_BEGUN, TestNode.OLDER);
    var program = node.jobs.start("program");
    node.jobs.enter(program, STEP);
    JobOnNode change = gateway.next(EventCase.JOB).getJob();
    assertEquals(CallerMapper.toProto(program.ref()), change.getProcesses(0).getProcess());
    assertTrue(
        CallerMapper.instant(change.getObservedAt(), "observed_at")
            .isBefore(
                CallerMapper.instant(first.getObservedAt(), "observed_at")
                    .plus(ReportedJob.CHANGING)),
        "the job was read before its next regular time");
  }

  @Test
  void tellsManyProcessesInMessagesThatFit() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    Set<ProcessRef> started = new HashSet<>();
    for (int i = 0; i < JobReporter.MOST_PROCESSES_OF_A_JOB; i++) {
      var process = node.jobs.start("p");
      node.jobs.enter(process, STEP);
      started.add(process.ref());
    }
    connect(gateway.port());
    Set<ProcessRef> told = new HashSet<>();
    gateway.next(EventCase.HELLO);
    var event = gateway.next();
    while (event.hasJob()) {
      event
          .getJob()
          .getProcessesList()
          .forEach(process -> told.add(CallerMapper.toModel(process.getProcess(), "process")));
      event = gateway.next();
    }
    assertTrue(event.hasStateComplete());
    assertEquals(started, told);
  }

  /** Users make processes; what was told of them is kept in the heap. */
  @Test
  void ofMoreProcessesThanAreKeptTheFirstAreTold() {
    for (int job = 1; job <= 3; job++) {
      node.job(new JobId(job), TestNode.ALICE, JobState.OPEN, 0);
      for (int i = 0; i < JobReporter.MOST_PROCESSES_OF_A_JOB + 100; i++) {
        node.jobs.enter(node.jobs.start("p"), new JobStep(new JobId(job), StepId.of(0)));
      }
    }
    connect(gateway.port());
    gateway.next(EventCase.HELLO);
    Map<Long, Integer> told = new HashMap<>();
    for (var event = gateway.next(); !event.hasStateComplete(); event = gateway.next()) {
      if (event.hasJob()) {
        JobOnNode job = event.getJob();
        told.merge(job.getJob().getJobId(), job.getProcessesCount(), Integer::sum);
      }
    }
    assertEquals(
        List.of(0, JobReporter.MOST_PROCESSES_OF_A_JOB, JobReporter.MOST_PROCESSES_OF_A_JOB),
        told.values().stream().sorted().toList());
  }

  @Test
  void numbersItsAnnouncementsForEachFarAddress() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    var ssh = node.jobs.start("ssh");
    node.jobs.enter(ssh, STEP);
    InetAddress other = InetAddress.ofLiteral("10.77.0.3");
    List.of(TestNode.FAR, TestNode.FAR, other)
        .forEach(far ->
            node.calls.call(
                node.seen(
                    Connection.tcp(new Endpoint(TestNode.HERE, 4_000), new Endpoint(far, 22)),
                    ssh.ref(),
                    TestNode.ALICE)));
    Announcement first = gateway.next(EventCase.ANNOUNCEMENT).getAnnouncement();
    assertEquals(41, first.getCaller().getJob().getJobId());
    assertEquals("node2", first.getCaller().getNode());
    assertEquals(
        List.of(1L, 2L, 1L),
        List.of(
            first.getSequence(),
            gateway.next(EventCase.ANNOUNCEMENT).getAnnouncement().getSequence(),
            gateway.next(EventCase.ANNOUNCEMENT).getAnnouncement().getSequence()));
  }

  @Test
  void tellsThatCallsWereLost() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    node.calls.lose(3);
    CallsLost lost = gateway.next(EventCase.CALLS_LOST).getCallsLost();
    assertEquals("node2", lost.getNode());
    assertEquals(3, lost.getLost());
  }

  @Test
  void withdrawsAnAnnouncementInOneCountWithThem() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    var ssh = node.jobs.start("ssh");
    node.jobs.enter(ssh, STEP);
    var call = Connection.tcp(new Endpoint(TestNode.HERE, 4_000), new Endpoint(TestNode.FAR, 22));
    node.calls.call(node.seen(call, ssh.ref(), TestNode.ALICE));
    assertEquals(1, gateway.next(EventCase.ANNOUNCEMENT).getAnnouncement().getSequence());
    node.calls.withdraw(TestNode.callFrom(TestNode.HERE, 4_000)); // stays on the node
    node.calls.withdraw(call);
    Withdrawal withdrawal = gateway.next(EventCase.WITHDRAWAL).getWithdrawal();
    assertEquals("node2", withdrawal.getNode());
    assertEquals(call, NodeMapper.connection(withdrawal));
    assertEquals(2, withdrawal.getSequence());
    assertEquals(2, needed.get(), "a call and its withdrawal need the gateway");
  }

  @Test
  void whatWasAnnouncedBeforeAStreamBeganIsNotTrusted() {
    var lost = node.hear(Topics.SOURCE_LOST);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(
        ConnectResponse.newBuilder().setCallsLost(CallsLost.newBuilder().setNode("node1")));
    var node1 = Optional.of(new NodeName("node1"));
    assertEquals(new LostSource(node1, Optional.empty()), lost.next());
    InetAddress address = InetAddress.ofLiteral("10.0.0.7");
    gateway.order(
        ConnectResponse.newBuilder()
            .setCallsLost(
                CallsLost.newBuilder().setNode("node1").setAddress(CallerMapper.bytes(address))));
    assertEquals(new LostSource(node1, Optional.of(address)), lost.next());
    gateway.order(ConnectResponse.newBuilder().setCallsLost(CallsLost.getDefaultInstance()));
    assertEquals(LostSource.ALL, lost.next());
    gateway.cut();
    assertEquals(LostSource.ALL, lost.next());
  }

  @Test
  void bringsAWithdrawalToTheBoard() {
    var withdrawn = node.hear(Topics.ANNOUNCEMENT_WITHDRAWN);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    Connection call = TestNode.callFrom(TestNode.FAR, 40_000);
    NodeName node1 = new NodeName("node1");
    gateway.order(
        ConnectResponse.newBuilder().setWithdrawal(NodeMapper.withdrawal(node1, call, 3, 2)));
    assertEquals(new WithdrawnCall(node1, call, 2, 3), withdrawn.next());
  }

  @Test
  void doesNotTellOfCallsThatDoNotLeaveTheNode() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    var ssh = node.jobs.start("ssh");
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    node.calls.call(
        node.seen(
            Connection.tcp(new Endpoint(loopback, 4_000), new Endpoint(loopback, 22)),
            ssh.ref(),
            TestNode.ALICE));
    node.calls.call(node.seen(TestNode.callFrom(TestNode.HERE, 4_000), ssh.ref(), TestNode.ALICE));
    node.calls.call(
        node.seen(
            Connection.tcp(new Endpoint(TestNode.HERE, 5_000), new Endpoint(TestNode.FAR, 22)),
            ssh.ref(),
            TestNode.ALICE));
    assertEquals(
        5_000,
        gateway
            .next(EventCase.ANNOUNCEMENT)
            .getAnnouncement()
            .getConnection()
            .getLocal()
            .getPort());
  }

  @Test
  void bringsTheAnnouncedCallerToItsSession() {
    node.twoJobsOfAlice();
    node.withLoginSocket();
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(
        ConnectResponse.newBuilder()
            .setAnnouncement(
                Announcement.newBuilder()
                    .setConnection(CallerMapper.toProto(TestNode.callFrom(TestNode.FAR, 40_000)))
                    .setCaller(CallerMapper.toProto(callerInOlder()))
                    .setEpoch(3)
                    .setSequence(1)));
    Await.until("the login follows its caller", () -> login().getReason().equals("caller-job"));
  }

  private static Caller callerInOlder() {
    return new Caller(
        "test",
        new NodeName("node1"),
        new Membership.InJob(STEP),
        TestNode.ALICE,
        new ProcessRef(9, 9),
        TestNode.NOON);
  }

  private LoginReply login() {
    return ModuleRequest.ask(
        node.loginSocket(),
        ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, 40_000))
            .setPatienceMs(300));
  }

  @Test
  void asksForACallerThatWasNotAnnounced() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    var answer = node.bus.ask(Queries.CALLER_IN_ROLL, question(PATIENCE), PATIENCE);
    Question question = gateway.next(EventCase.QUESTION).getQuestion();
    assertEquals(
        CallerMapper.toProto(TestNode.callFrom(TestNode.FAR, 40_000)), question.getConnection());
    var found = new CallerAnswer.Found(callerInOlder());
    gateway.order(
        ConnectResponse.newBuilder()
            .setAnswer(
                Answer.newBuilder()
                    .setQuestionId(question.getQuestionId())
                    .setAnswer(CallerMapper.toProto(found))));
    assertEquals(found, TestNode.await(answer));
  }

  @Test
  void doesNotWaitLongerThanItsPatience() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    assertEquals(0, needed.get(), "what the agent tells of itself does not need the gateway");
    assertEquals(
        new CallerAnswer.Unreachable(
            "gateway 127.0.0.1:" + gateway.port() + " did not answer within 50 ms"),
        ask(Duration.ofMillis(50)));
    assertEquals(1, needed.get(), "a question needs the gateway");
  }

  @Test
  void answersWhoCalledHere() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    var ssh = node.jobs.start("ssh");
    node.jobs.enter(ssh, STEP);
    Connection call =
        Connection.tcp(new Endpoint(TestNode.HERE, 4_000), new Endpoint(TestNode.FAR, 80));
    node.calls.callQuietly(node.seen(call, ssh.ref(), TestNode.ALICE));
    question(1, call);
    assertEquals(
        41, gateway.next(EventCase.ANSWER).getAnswer().getAnswer().getFound().getJob().getJobId());
  }

  @Test
  void tellsNobodyOfLoopback() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    Connection call = Connection.tcp(new Endpoint(loopback, 4_000), new Endpoint(loopback, 80));
    var ssh = node.jobs.start("ssh");
    node.calls.callQuietly(node.seen(call, ssh.ref(), TestNode.ALICE));
    question(2, call);
    assertEquals(
        "such a call does not leave its node",
        gateway.next(EventCase.ANSWER).getAnswer().getAnswer().getUnknown().getReason());
  }

  private void question(long id, Connection call) {
    gateway.order(
        ConnectResponse.newBuilder()
            .setQuestion(
                Question.newBuilder()
                    .setQuestionId(id)
                    .setConnection(CallerMapper.toProto(call))
                    .setPatience(CallerMapper.duration(PATIENCE))));
  }

  @Test
  void tellsWhatWasDecidedAlsoBeforeThereWasAGateway() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.withLoginSocket();
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.close();
    Await.until("it is alone", () -> description() instanceof GatewayState.Absent);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, login().getOutcome());
    Await.until(
        "it is noted",
        () -> node.registry.counter("rollcall.adopt.sessions", "outcome", "adopted").count() == 1);
    assertEquals(0, node.registry.counter("rollcall.stream.adoptions.sent", "sent", "yes").count());

    gateway.reopen();
    var told = gateway.next(EventCase.ADOPTION).getAdoption();
    assertEquals(
        List.of("node2", "7-1", "somebody"),
        List.of(told.getNode(), told.getAdoptionId(), told.getUser()));
    assertEquals(Outcome.OUTCOME_ADOPTED, told.getOutcome());
    assertEquals(List.of("only-job", 41L), List.of(told.getReason(), told.getJob().getJobId()));
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, login().getOutcome());
    assertEquals("7-2", gateway.next(EventCase.ADOPTION).getAdoption().getAdoptionId());
  }

  @Test
  void listsAJobsProcessesWhenAsked() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.enter(node.jobs.start("mpirun"), STEP);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(
        ConnectResponse.newBuilder()
            .setProcessesQuestion(ProcessesQuestion.newBuilder().setQuestionId(5).setJobId(41)));
    var answer = gateway.next(EventCase.PROCESSES_ANSWER).getProcessesAnswer();
    assertEquals(5, answer.getQuestionId());
    assertEquals("mpirun", answer.getProcesses(0).getCommand());
  }

  @Test
  void sendsAJobsUsageWhenAsked() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(
        ConnectResponse.newBuilder()
            .setUsageQuestion(UsageQuestion.newBuilder().setQuestionId(6).setJobId(41)));
    var answer = gateway.next(EventCase.USAGE_ANSWER).getUsageAnswer();
    assertEquals(6, answer.getQuestionId());
    var job = answer.getRecords(0);
    assertEquals(
        List.of("node2", 41L, TestNode.ALICE, UsageKind.USAGE_KIND_JOB),
        List.of(job.getNode(), job.getJobId(), job.getUid(), job.getKind()));
    assertTrue(answer.getRecordsCount() > 1);

    var point = UsagePoint.newBuilder().setSecondsAgo(9).build();
    node.onLoop(() -> {
      node.bus.answer(Queries.LAST_HOUR, _ -> Future.succeededFuture(List.of(point)));
      return Future.succeededFuture();
    });
    for (boolean hour : List.of(true, false)) {
      gateway.order(
          ConnectResponse.newBuilder()
              .setUsageQuestion(
                  UsageQuestion.newBuilder()
                      .setQuestionId(7)
                      .setJobId(41)
                      .setJobOnly(true)
                      .setLastHour(hour)));
      var only = gateway.next(EventCase.USAGE_ANSWER).getUsageAnswer().getRecordsList();
      assertEquals(1, only.size());
      assertEquals(hour ? List.of(point) : List.of(), only.getFirst().getLastHourList());
    }
  }

  @Test
  void aGatewayWhoseWelcomeIsNotValidIsNotTheAgents() {
    gateway.heartbeat(com.google.protobuf.Duration.newBuilder().setSeconds(1).setNanos(-1).build());
    try (var logged = LoggedLines.of(GatewayVerticle.class.getName())) {
      connect(gateway.port());
      Await.until(
          "it says why",
          () ->
              logged.lines().stream()
                  .anyMatch(line -> line.contains("welcome.heartbeat: 1 s and -1 ns are not")));
      gateway.heartbeat(Duration.ofSeconds(5));
      gateway.next(EventCase.STATE_COMPLETE);
    }
  }

  /** As a number of nanoseconds it is too large. */
  @Test
  void aGatewayMayWantNoHeartbeats() {
    gateway.heartbeat(Duration.ofDays(365 * 1_000));
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
  }

  /** Each would begin heartbeats, and the report of all jobs, once more. */
  @Test
  void aGatewayThatWelcomesTheNodeTwiceLosesItsStream() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(ConnectResponse.newBuilder().setWelcome(Welcome.getDefaultInstance()));
    gateway.next(EventCase.HELLO);
    gateway.next(EventCase.STATE_COMPLETE);
  }

  /** Each answer has 1 MiB; the agent's heap has 48. */
  @Test
  void aGatewayThatAsksAndDoesNotReadLosesItsStream() throws InterruptedException {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    for (int i = 0; i < 20_000; i++) {
      node.jobs.enter(node.jobs.start("a-program-with-a-name-of-40-characters-"), STEP);
    }
    gateway.deaf();
    try (var logged = LoggedLines.of(GatewayVerticle.class.getName())) {
      connect(gateway.port());
      Await.until("it connects", gateway::hasStream);
      for (int i = 1; i <= 200 && logged.lines().size() < 2; i++) {
        gateway.order(
            ConnectResponse.newBuilder()
                .setProcessesQuestion(
                    ProcessesQuestion.newBuilder().setQuestionId(i).setJobId(41)));
        Thread.sleep(50);
      }
      assertTrue(
          logged.lines().stream()
              .skip(1) // it was connected
              .findFirst()
              .filter(line -> line.contains("is unreachable: it does not read: "))
              .isPresent(),
          logged.lines().toString());
    }
  }

  /** What a gateway of the next version sends. */
  @Test
  void anOrderThatItDoesNotKnowChangesNothing() {
    var unknown =
        UnknownFieldSet.newBuilder()
            .addField(1_000, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(ConnectResponse.newBuilder().setUnknownFields(unknown));
    gateway.order(
        ConnectResponse.newBuilder()
            .setUnknownFields(unknown)
            .setProcessesQuestion(
                ProcessesQuestion.newBuilder()
                    .setQuestionId(5)
                    .setJobId(41)
                    .setUnknownFields(unknown)));
    assertEquals(5, gateway.next(EventCase.PROCESSES_ANSWER).getProcessesAnswer().getQuestionId());
  }

  @Test
  void listsWhatIsInNoJobWhenAsked() {
    var wanted = new LinkedBlockingQueue<Optional<Integer>>();
    node.onLoop(() -> {
      node.bus.answer(
          Queries.OUTSIDE_PROCESSES_LISTED,
          question -> {
            wanted.add(question);
            return Future.succeededFuture(new OutsideProcessesFound(List.of(), 3, TestNode.NOON));
          });
      return true;
    });
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(
        ConnectResponse.newBuilder()
            .setOutsideProcessesQuestion(
                OutsideProcessesQuestion.newBuilder().setQuestionId(6).setUid(TestNode.BOB)));
    var answer = gateway.next(EventCase.OUTSIDE_PROCESSES_ANSWER).getOutsideProcessesAnswer();
    assertEquals(6, answer.getQuestionId());
    assertEquals(
        NodeOutsideProcesses.newBuilder()
            .setNode(TestNode.IDENTITY.node().text())
            .setLeftOut(3)
            .setObservedAt(CallerMapper.timestamp(TestNode.NOON))
            .build(),
        answer.getOutsideProcesses());
    assertEquals(List.of(Optional.of(TestNode.BOB)), List.copyOf(wanted));
  }

  @Test
  void saysWhatWouldBecomeOfAUserWhenAsked() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(
        ConnectResponse.newBuilder()
            .setPredictionQuestion(
                PredictionQuestion.newBuilder().setQuestionId(6).setUid(TestNode.ALICE)));
    var answer = gateway.next(EventCase.PREDICTION_ANSWER).getPredictionAnswer();
    assertEquals(6, answer.getQuestionId());
    assertEquals("node2", answer.getPrediction().getNode());
    assertEquals(41, answer.getPrediction().getJobId());
  }

  @Test
  void saysWhichJobsProcessesAreInWhenAsked() {
    ProcessRef process =
        new Proc(Path.of("/proc")).ref((int) ProcessHandle.current().pid()).orElseThrow();
    var running = node.jobs.running(process, "java");
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    gateway.order(membership(process));
    var none = gateway.next(EventCase.MEMBERSHIP_ANSWER).getMembershipAnswer();
    assertEquals(6, none.getQuestionId());
    assertTrue(none.getAnswers(0).hasInNoJob(), none.toString());
    node.jobs.enter(running, STEP);
    var another = new ProcessRef(process.pid(), process.startTime() + 1);
    gateway.order(membership(process, another, process));
    var some = gateway.next(EventCase.MEMBERSHIP_ANSWER).getMembershipAnswer();
    assertEquals(3, some.getAnswersCount());
    assertEquals(41, some.getAnswers(0).getInJob().getJob().getJobId());
    assertEquals(TestNode.ALICE, some.getAnswers(0).getInJob().getUid());
    assertEquals("the node has no such process now", some.getAnswers(1).getUnknown().getReason());
    assertTrue(some.getAnswers(2).hasInJob(), some.toString());
  }

  private static ConnectResponse.Builder membership(ProcessRef... processes) {
    var question = MembershipQuestion.newBuilder().setQuestionId(6);
    for (ProcessRef process : processes) {
      question.addProcesses(
          ProcessOnNode.newBuilder()
              .setNode("node2")
              .setPid(process.pid())
              .setStartTime(process.startTime()));
    }
    return ConnectResponse.newBuilder().setMembershipQuestion(question);
  }

  @Test
  void asksForWhatIsGuessedAndTellsWhatItLearned() {
    node.jobs.guess(
        new Job(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    assertEquals(
        List.of(41L), gateway.next(EventCase.JOBS_QUESTION).getJobsQuestion().getJobIdsList());
    Instant start = TestNode.NOON.minusSeconds(60);
    fact(TestNode.NEWER, TestNode.ALICE, start); // is not here
    fact(TestNode.OLDER, TestNode.BOB, start);
    fact(TestNode.OLDER, TestNode.ALICE, start);
    Job told = JobMapper.toModel(gateway.next(EventCase.JOB).getJob().getJob(), "job");
    assertEquals(new Job(TestNode.OLDER, TestNode.ALICE, 77, start, JobState.OPEN), told);
    assertEquals(List.of(told), node.jobs.list());
    assertEquals(1, node.registry.counter("rollcall.stream.facts", "taken", "yes").count());
    assertEquals(2, node.registry.counter("rollcall.stream.facts", "taken", "no").count());
  }

  private void fact(JobId job, int uid, Instant start) {
    gateway.order(
        ConnectResponse.newBuilder()
            .setJobFacts(
                JobFacts.newBuilder()
                    .addFacts(JobMapper.fact(new Jobs.JobSpec(job, uid, 77, start)))));
  }

  @Test
  void asksForAJobThatComesLater() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    node.jobs.guess(
        new Job(TestNode.NEWER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    assertEquals(
        List.of(42L), gateway.next(EventCase.JOBS_QUESTION).getJobsQuestion().getJobIdsList());
  }

  @Test
  void goesToAnotherGatewayWithinASecond() {
    var second = new FakeGateway(node.vertx);
    connect(gateway.port(), second.port());
    Await.until("it connects", () -> description() instanceof GatewayState.Connected);
    String first = assertInstanceOf(GatewayState.Connected.class, description()).gateway();
    boolean atFirst = first.endsWith(":" + gateway.port());
    long before = System.nanoTime();
    (atFirst ? gateway : second).close();
    (atFirst ? second : gateway).next(EventCase.STATE_COMPLETE);
    long took = System.nanoTime() - before;
    assertTrue(
        description() instanceof GatewayState.Connected now && !now.gateway().equals(first),
        "connects the other after " + took / 1_000_000 + " ms");
  }

  @Test
  void namesTheGatewayThatItCannotReach() {
    int port = gateway.port();
    gateway.close();
    connect(port);
    Await.until(
        "the refusal is known",
        () ->
            description() instanceof GatewayState.Absent(String why)
                && why.startsWith("gateway 127.0.0.1:" + port + " is unreachable: ")
                && why.contains("Connection refused"));
    var answer = assertInstanceOf(CallerAnswer.Unreachable.class, ask(PATIENCE));
    assertTrue(answer.reason().contains("127.0.0.1:" + port), answer.reason());
  }

  @Test
  void warnsOfTheGatewayThatItCannotReachAtOnceAndThenOnceAMinute() {
    int port = gateway.port();
    gateway.close();
    var health = node.health();
    try (var logged = LoggedLines.of(GatewayVerticle.class.getName())) {
      connect(port, port + 1);
      Set<String> published = new HashSet<>();
      while (published.size() < 2) {
        published.add(health.next().detail());
      }
      assertEquals(1, logged.lines().size(), logged.lines().toString());
      assertTrue(published.contains(logged.lines().getFirst()), published.toString());
    }
  }

  @Test
  void answersQuestionsThatAreOpenWhenTheGatewayDies() {
    connect(gateway.port());
    gateway.next(EventCase.STATE_COMPLETE);
    var answer =
        node.bus.ask(
            Queries.CALLER_IN_ROLL, question(Duration.ofMinutes(1)), Duration.ofMinutes(1));
    gateway.next(EventCase.QUESTION);
    gateway.close();
    assertInstanceOf(CallerAnswer.Unreachable.class, TestNode.await(answer));
  }

  @Test
  void asksTheOtherGatewayWhatTheFirstDidNotAnswer() {
    var second = new FakeGateway(node.vertx);
    connect(gateway.port(), second.port());
    Await.until("a gateway", () -> description() instanceof GatewayState.Connected);
    boolean atFirst =
        ((GatewayState.Connected) description()).gateway().endsWith(":" + gateway.port());
    FakeGateway dies = atFirst ? gateway : second;
    FakeGateway stays = atFirst ? second : gateway;
    dies.next(EventCase.STATE_COMPLETE);
    var earlier = node.bus.ask(Queries.CALLER_IN_ROLL, question(PATIENCE), PATIENCE);
    Question first = dies.next(EventCase.QUESTION).getQuestion();
    dies.close();
    Await.until("no gateway", () -> !(description() instanceof GatewayState.Connected));
    var later = node.bus.ask(Queries.CALLER_IN_ROLL, question(PATIENCE), PATIENCE);
    var found = new CallerAnswer.Found(callerInOlder());
    for (int i = 0; i < 2; i++) {
      Question again = stays.next(EventCase.QUESTION).getQuestion();
      assertEquals(first.getConnection(), again.getConnection());
      assertTrue(again.getMostAge().getSeconds() >= MOST_AGE.toSeconds(), again::toString);
      stays.order(
          ConnectResponse.newBuilder()
              .setAnswer(
                  Answer.newBuilder()
                      .setQuestionId(again.getQuestionId())
                      .setAnswer(CallerMapper.toProto(found))));
    }
    assertEquals(found, TestNode.await(earlier));
    assertEquals(found, TestNode.await(later));
  }

  private static RollQuestion question(Duration patience) {
    return new RollQuestion(TestNode.callFrom(TestNode.FAR, 40_000), MOST_AGE, patience);
  }
}
