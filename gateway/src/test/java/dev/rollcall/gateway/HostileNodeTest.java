package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import dev.rollcall.model.Call;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.JobsQuestion;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.proto.v1.WatchCallsResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import io.grpc.Status;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Root of a node says what no agent says: it is refused by name, and harms nobody else. */
@Timeout(120)
class HostileNodeTest {
  private static final int QUESTIONS_OF_A_NODE = 128;

  private TestGateways gateways;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(TestGateways.World.MEMORY, 1);
  }

  @AfterEach
  void stop() {
    gateways.close();
  }

  private FakeAgent agent(String node, String... addresses) {
    return gateways.agent(0, node, addresses);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Message> T padded(T message, int bytes) {
    return (T)
        message.toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        31,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFrom(new byte[bytes]))
                            .build())
                    .build())
            .build();
  }

  private static void assertRefused(FakeAgent agent, String... words) {
    Status end = agent.end();
    assertEquals(Status.Code.INVALID_ARGUMENT, end.getCode(), end.toString());
    for (String word : words) {
      assertTrue(String.valueOf(end.getDescription()).contains(word), end.toString());
    }
  }

  private static ConnectRequest announcement(FakeAgent agent, int padding) {
    return ConnectRequest.newBuilder()
        .setAnnouncement(
            padded(
                NodeMapper.announcement(agent.call("10.0.0.1:40000", "10.0.0.2:22"), 1, 1),
                padding))
        .build();
  }

  /** 550 of a MiB to oneself ended a gateway of 1 GiB. */
  @Test
  void aQuestionAboutTooManyJobsIsRefusedByItsSize() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    node.say(
        ConnectRequest.newBuilder()
            .setJobsQuestion(
                JobsQuestion.newBuilder().addAllJobIds(Collections.nCopies(2_000, Long.MAX_VALUE)))
            .build());
    assertRefused(node, "jobs_question: 18", "16384");
  }

  private static ConnectRequest question(long id, Call call) {
    return ConnectRequest.newBuilder()
        .setQuestion(
            Question.newBuilder()
                .setQuestionId(id)
                .setConnection(CallerMapper.toProto(call.connection()))
                .setPatience(CallerMapper.duration(Duration.ofSeconds(2))))
        .build();
  }

  /** Where nodes have no eBPF, an answer takes long, and 256 questions wait at a node. */
  @Test
  void questionsOfOneNodeLeaveRoomForThoseOfOthers() throws Exception {
    var asked = agent("node1", "10.0.0.1").connectWithoutJobs();
    var hostile = agent("node2", "10.0.0.2").connectWithoutJobs();
    var other = agent("node3", "10.0.0.3").connectWithoutJobs();
    int questions = 200;
    for (int id = 1; id <= questions; id++) {
      hostile.say(question(id, asked.call("10.0.0.1:" + (40_000 + id), "10.0.0.2:22")));
    }
    for (int refused = 0; refused < questions - QUESTIONS_OF_A_NODE; refused++) {
      assertEquals(
          "the gateway is busy with questions of this node",
          hostile.next().getAnswer().getAnswer().getUnreachable().getReason());
    }
    for (int waiting = 0; waiting < QUESTIONS_OF_A_NODE; waiting++) {
      assertTrue(asked.next().hasQuestion());
    }
    asked.answerWith(_ -> new CallerAnswer.Unknown("node1: no socket"));
    assertEquals(
        new CallerAnswer.Unknown("node1: no socket"),
        other.ask(asked.call("10.0.0.1:50000", "10.0.0.3:22").connection()));
  }

  @Test
  void whatIsPassedOnHasNoFieldThatTheGatewayDoesNotKnow() throws Exception {
    var node1 = agent("node1", "10.0.0.1").connectWithoutJobs();
    var node2 = agent("node2", "10.0.0.2").connectWithoutJobs();
    Iterator<WatchCallsResponse> watched =
        CallerIdServiceGrpc.newBlockingStub(gateways.channel(0))
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .watchCalls(WatchCallsRequest.getDefaultInstance());
    ConnectRequest padded = announcement(node1, 2_000);
    Announcement plain = NodeMapper.announcement(node1.call("10.0.0.1:40000", "10.0.0.2:22"), 1, 1);
    var first = CompletableFuture.supplyAsync(watched::next);
    do { // the watch may begin after the first of them
      node1.say(padded);
      assertEquals(plain, node2.next().getAnnouncement());
    } while (!first.isDone());
    assertEquals(plain.getCaller(), first.join().getCaller());
  }

  @Test
  void aCallOfAnotherRunIsNotPassedOn() throws Exception {
    var node1 = agent("node1", "10.0.0.1").epoch(5).connectWithoutJobs();
    var node2 = agent("node2", "10.0.0.2").connectWithoutJobs();
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
    for (long other : new long[] {4, 6, Long.MAX_VALUE}) {
      node1.epoch(other).announce(call, 1);
      node1.epoch(other).withdraw(call.connection(), 2);
    }
    node1.epoch(5).announce(call, 3);
    Announcement told = node2.next().getAnnouncement();
    assertEquals(5, told.getEpoch());
    assertEquals(3, told.getSequence());
  }

  private static Adoption.Builder adoption(String id, int second) {
    return Adoption.newBuilder()
        .setAdoptionId(id)
        .setUid(1000)
        .setService("sshd")
        .setOutcome(Outcome.OUTCOME_ALLOWED)
        .setDecidedAt(CallerMapper.timestamp(FakeAgent.NOW.plusSeconds(second)));
  }

  private static void tell(FakeAgent node, Adoption.Builder adoption) {
    node.say(ConnectRequest.newBuilder().setAdoption(adoption).build());
  }

  private List<Adoption> listed(String node) {
    return AdoptionServiceGrpc.newBlockingStub(gateways.channel(0))
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .listAdoptions(ListAdoptionsRequest.newBuilder().setNode(node).build())
        .getAdoptionsList();
  }

  /** It took the list from administrators, by JSON. */
  @Test
  void aDecisionOfTheYear10000IsRefusedByItsField() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    tell(
        node, adoption("a-1", 0).setDecidedAt(Timestamp.newBuilder().setSeconds(253_402_300_800L)));
    assertRefused(node, "adoption.decided_at", "253402300800");
    assertEquals(List.of(), listed("node1"));
  }

  @Test
  void aDecisionWithoutAnOutcomeIsRefusedByItsField() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    tell(node, adoption("a-1", 0).setOutcomeValue(99));
    assertRefused(node, "adoption.outcome", "99");
  }

  @Test
  void aNodeThatFloodsDecisionsDrivesOutItsOwnAlone() throws Exception {
    var honest = agent("node1", "10.0.0.1").connectWithoutJobs();
    tell(honest, adoption("honest", 0));
    Await.until("it is listed", () -> listed("node1").size() == 1);
    var hostile = agent("node2", "10.0.0.2").connectWithoutJobs();
    for (int i = 0; i < 10_001; i++) {
      tell(hostile, adoption("a-" + i, i));
    }
    Await.until(
        "the last is known", () -> listed("node2").getFirst().getAdoptionId().equals("a-10000"));
    assertEquals("honest", listed("node1").getFirst().getAdoptionId());
  }

  @Test
  void aJobOfTheYear2262IsRefusedByItsField() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    var job =
        JobMapper.toProto(FakeAgent.job(7, 1000), new NodeName("node1"), "", false).toBuilder()
            .setStartedAt(Timestamp.newBuilder().setSeconds(9_223_372_036L))
            .build();
    node.say(
        ConnectRequest.newBuilder()
            .setJob(
                JobOnNode.newBuilder()
                    .setJob(job)
                    .setObservedAt(CallerMapper.timestamp(FakeAgent.NOW)))
            .build());
    assertRefused(node, "job.job.started_at", "9223372036");
    assertEquals(List.of(), gateways.memory.jobs());
  }

  @Test
  void aCallOfTheYear2262IsRefusedByItsField() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    Announcement.Builder call =
        NodeMapper.announcement(node.call("10.0.0.1:40000", "10.0.0.2:22"), 1, 1).toBuilder();
    call.getCallerBuilder().getCalledAtBuilder().setSeconds(9_223_372_036L);
    node.say(ConnectRequest.newBuilder().setAnnouncement(call).build());
    assertRefused(node, "announcement.caller.called_at", "9223372036");
  }

  @Test
  void anAnswerWithATimeThatJsonHasNotIsRefusedByItsField() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    node.say(
        ConnectRequest.newBuilder()
            .setProcessesAnswer(
                ProcessesAnswer.newBuilder().setObservedAt(Timestamp.newBuilder().setNanos(-1)))
            .build());
    assertRefused(node, "processes_answer.observed_at", "-1 ns");
  }

  /** 1.5 million were taken, and then lists of jobs failed for others. */
  @Test
  void ofAMillionProcessesOfAJobTheBoundIsKept() throws Exception {
    var node = agent("node1", "10.0.0.1").connect();
    for (int from = 0; from < 1_500_000; from += 15_000) {
      var message =
          JobOnNode.newBuilder()
              .setJob(JobMapper.toProto(FakeAgent.job(7, 1000), new NodeName("node1"), "", false))
              .setObservedAt(CallerMapper.timestamp(FakeAgent.NOW))
              .setWhole(from == 0);
      IntStream.range(from, from + 15_000)
          .forEach(pid -> message.addProcesses(JobMapper.member(FakeAgent.process(pid + 1))));
      node.say(ConnectRequest.newBuilder().setJob(message).build());
    }
    node.complete();
    node.say(
        ConnectRequest.newBuilder()
            .setJob(
                JobOnNode.newBuilder()
                    .setJob(
                        JobMapper.toProto(FakeAgent.job(8, 1000), new NodeName("node1"), "", false))
                    .setObservedAt(CallerMapper.timestamp(FakeAgent.NOW))
                    .setWhole(true))
            .build());
    Await.until("all is taken", () -> gateways.memory.jobs().size() == 2);
    assertEquals(32_768, gateways.memory.processes(new NodeName("node1"), new JobId(7)).size());
    assertFalse(node.hasEnded());
  }

  @Test
  void oneJobMoreThanANodeHasIsRefusedByItsNumber() throws Exception {
    var node = agent("node1", "10.0.0.1").connect();
    for (int id = 1; id <= 10_001; id++) {
      node.tell(FakeAgent.job(id, 1000), List.of());
    }
    assertRefused(node, "job.job.job_id: 10001 is one more than 10000");
  }

  /** The bounds hold however long the machine takes, so the test needs no pause. */
  @Test
  void heartbeatsBackToBackAreReadAtTheRateOfEventsAndRenewTheLeaseOnceASecond() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    long before = System.nanoTime();
    for (int i = 0; i < 13_000; i++) {
      node.heartbeat();
    }
    node.tell(FakeAgent.job(7, 1000), List.of());
    Await.until("they are read", () -> gateways.memory.jobs().size() == 1);
    int renewals = gateways.memory.renewals();
    double seconds = (System.nanoTime() - before) / 1e9;
    assertTrue(renewals <= 2 + seconds, renewals + " renewals in " + seconds + " s");
    assertTrue(13_000 <= 10_000 + 128 + 2_000 * seconds, "all were read in " + seconds + " s");
  }

  /** Each had the roll take the whole list: a gateway was busy with one node. */
  @Test
  void smallChangesOfALargeJobAreReadAsTheLargeWorkThatTheyAre() throws Exception {
    var node = agent("node1", "10.0.0.1").connect();
    node.tell(
        FakeAgent.job(7, 1000),
        IntStream.rangeClosed(1, 32_000).mapToObj(FakeAgent::process).toList());
    node.complete();
    long before = System.nanoTime();
    var change =
        ConnectRequest.newBuilder()
            .setJob(
                JobOnNode.newBuilder()
                    .setJob(
                        JobMapper.toProto(FakeAgent.job(7, 1000), new NodeName("node1"), "", false))
                    .setObservedAt(CallerMapper.timestamp(FakeAgent.NOW)))
            .build();
    for (int i = 0; i < 300; i++) {
      node.say(change);
    }
    node.tell(FakeAgent.job(8, 1000), List.of());
    Await.until("they are read", () -> gateways.memory.jobs().size() == 2);
    double seconds = (System.nanoTime() - before) / 1e9;
    int events = (300 - 128) * (32_000 / 256);
    assertTrue(events <= 10_000 + 2_000 * seconds, "all were read in " + seconds + " s");
  }

  /** 512 of them held up the roll for 5 s: lists of others failed, and leases were not renewed. */
  @Test
  void hellosOnManyStreamsAreRefusedByTheirNumberBeforeTheyReachTheRoll() throws Exception {
    long before = System.nanoTime();
    List<FakeAgent> streams =
        IntStream.range(0, 100)
            .mapToObj(_ -> {
              var stream = agent("node1", "10.0.0.1");
              stream.say(stream.hello());
              return stream;
            })
            .toList();
    for (FakeAgent stream : streams) {
      Await.until("it is answered", () -> stream.hasEnded() || stream.isWelcome());
    }
    assertFalse(agent("node2", "10.0.0.2").connectWithoutJobs().hasEnded());
    double seconds = (System.nanoTime() - before) / 1e9;
    int connects = gateways.memory.connects();
    assertTrue(connects <= 1 + 8 + seconds, connects + " registrations in " + seconds + " s");
    long refused =
        streams.stream()
            .filter(FakeAgent::hasEnded)
            .map(FakeAgent::end)
            .filter(end -> end.getCode() == Status.Code.RESOURCE_EXHAUSTED)
            .filter(end -> String.valueOf(end.getDescription()).contains("node1"))
            .count();
    assertTrue(refused >= 91 - seconds, refused + " refused");
    Await.until(
        "the node is registered again",
        () -> {
          var again = agent("node1", "10.0.0.1");
          again.say(again.hello());
          Await.until("it is answered", () -> again.hasEnded() || again.isWelcome());
          return again.isWelcome();
        });
  }

  @Test
  void lostCallsToldBackToBackReachOtherNodesOnceASecondAndTheLastIsNotLeftOut() throws Exception {
    var node = agent("node1", "10.0.0.1").connectWithoutJobs();
    var other = agent("node2", "10.0.0.2").connectWithoutJobs();
    node.announce(node.call("10.0.0.1:40000", "10.0.0.2:22"), 1);
    assertTrue(other.next().hasAnnouncement());
    for (int i = 0; i < 1_000; i++) {
      node.callsLost(1);
    }
    node.announce(node.call("10.0.0.1:40001", "10.0.0.2:22"), 2);
    int messages = 0;
    for (boolean announced = false; !announced || messages == 0; ) {
      var order = other.next();
      announced |= order.hasAnnouncement();
      messages += order.hasCallsLost() ? 1 : 0;
    }
    assertTrue(messages < 100, messages + " messages");
  }
}
