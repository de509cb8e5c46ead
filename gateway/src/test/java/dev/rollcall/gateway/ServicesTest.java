package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.CallerAnswer.Found;
import dev.rollcall.model.CallerAnswer.Unknown;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.NodeState;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.CallerMapper;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServicesTest {
  private TestGateways gateways;
  private FakeAgent node1;

  @BeforeEach
  void start() throws Exception {
    gateways = new TestGateways(TestGateways.World.MEMORY, 1);
    node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
    node1.tell(FakeAgent.job(7, 1000), List.of());
    node1.tell(FakeAgent.job(8, 1001), List.of());
    node1.complete();
    Await.until("the jobs are there", () -> gateways.memory.jobs().size() == 2);
  }

  @AfterEach
  void stop() {
    gateways.close();
  }

  private Channel everybody() {
    return gateways.channel(0);
  }

  private Channel user(String uid) {
    var headers = new Metadata();
    headers.put(PrincipalResolver.UID, uid);
    return ClientInterceptors.intercept(
        everybody(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static List<Long> ids(List<Job> jobs) {
    return jobs.stream().map(Job::getJobId).toList();
  }

  private static List<Long> listed(Channel channel) {
    return ids(
        JobServiceGrpc.newBlockingStub(channel)
            .list(ListRequest.getDefaultInstance())
            .getJobsList());
  }

  /** A busy node may not answer within a lookup's patience. */
  private static CallerAnswer identify(Channel channel, Call call) {
    CallerAnswer answer = identifyOnce(channel, call);
    for (int tries = 1; tries < 10 && answer instanceof CallerAnswer.Unreachable; tries++) {
      answer = identifyOnce(channel, call);
    }
    return answer;
  }

  private static CallerAnswer identifyOnce(Channel channel, Call call) {
    return CallerMapper.toModel(
        CallerIdServiceGrpc.newBlockingStub(channel)
            .identify(
                IdentifyRequest.newBuilder()
                    .setConnection(CallerMapper.toProto(call.connection()))
                    .build())
            .getAnswer(),
        "answer");
  }

  @Test
  void jobsBeginAndEndAtTheirNodes() {
    var jobs = JobServiceGrpc.newBlockingStub(everybody());
    for (Runnable call :
        List.<Runnable>of(
            () -> {
              var _ = jobs.begin(BeginRequest.newBuilder().setJobId(9).build());
            },
            () -> {
              var _ = jobs.end(EndRequest.newBuilder().setJobId(7).build());
            })) {
      var failure = assertThrows(StatusRuntimeException.class, call::run);
      assertEquals(Status.Code.FAILED_PRECONDITION, failure.getStatus().getCode());
      assertTrue(String.valueOf(failure.getMessage()).contains("ask the agent"));
    }
  }

  @Test
  void aUserSeesOnlyTheirOwnJobs() {
    assertEquals(List.of(7L, 8L), listed(everybody()));
    assertEquals(List.of(7L, 8L), listed(user("0")));
    assertEquals(List.of(7L), listed(user("1000")));
    assertEquals(List.of(), listed(user("1002")));
    var own = JobServiceGrpc.newBlockingStub(user("1000"));
    assertEquals(
        List.of(7L), ids(own.get(GetRequest.newBuilder().setJobId(7).build()).getJobsList()));
    // A job of somebody else looks like one that is not there.
    assertEquals(
        own.get(GetRequest.newBuilder().setJobId(99).build()),
        own.get(GetRequest.newBuilder().setJobId(8).build()));
    assertEquals(
        own.listProcesses(ListProcessesRequest.newBuilder().setJobId(99).build()),
        own.listProcesses(ListProcessesRequest.newBuilder().setJobId(8).build()));
  }

  @Test
  void aListIsNarrowedByNodeAndUser() {
    var jobs = JobServiceGrpc.newBlockingStub(everybody());
    assertEquals(
        List.of(8L), ids(jobs.list(ListRequest.newBuilder().setUid(1001).build()).getJobsList()));
    assertEquals(
        List.of(), ids(jobs.list(ListRequest.newBuilder().setNode("node9").build()).getJobsList()));
  }

  @Test
  void aUidThatIsNoneIsRefused() {
    var failure = assertThrows(StatusRuntimeException.class, () -> listed(user("alice")));
    assertEquals(Status.Code.INVALID_ARGUMENT, failure.getStatus().getCode());
    assertTrue(String.valueOf(failure.getMessage()).contains("'alice'"));
  }

  @Test
  void aConnectionThatIsNoneIsRefusedByItsField() {
    var failure =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                CallerIdServiceGrpc.newBlockingStub(everybody())
                    .identify(IdentifyRequest.getDefaultInstance()));
    assertEquals(Status.Code.INVALID_ARGUMENT, failure.getStatus().getCode());
    assertTrue(String.valueOf(failure.getMessage()).contains("connection.protocol"));
  }

  @Test
  void aCallOfSomebodyElseLooksLikeNoCall() {
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22", 1000);
    Call none = node1.call("10.0.0.1:40001", "10.0.0.2:22");
    node1.answerWith(asked ->
        asked.equals(call.connection()) ? new Found(call.caller()) : new Unknown("nothing"));
    assertEquals(new Found(call.caller()), identify(everybody(), call));
    assertEquals(new Found(call.caller()), identify(user("1000"), call));
    assertEquals(identify(user("1001"), none), identify(user("1001"), call));
    assertEquals(new Unknown("nothing"), identify(everybody(), none));
  }

  @Test
  void aNodeThatAnswersForAnotherIsNotBelieved() {
    var other = new FakeAgent(everybody(), "node2");
    Call call = other.call("10.0.0.1:40000", "10.0.0.2:22");
    node1.answerWith(_ -> new Found(call.caller()));
    assertEquals(
        new Unknown("node node1 sent an invalid answer: answer.found.node: 'node2' is another"),
        identify(everybody(), call));
  }

  @Test
  void aNodeThatAnswersForAnotherClusterIsNotBelieved() {
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
    var caller = call.caller();
    var other =
        new Caller(
            "CLUSTER",
            caller.node(),
            caller.membership(),
            caller.uid(),
            caller.process(),
            caller.at());
    node1.answerWith(_ -> new Found(other));
    assertEquals(
        new Unknown(
            "node node1 sent an invalid answer: answer.found.cluster: 'CLUSTER' is not cluster"),
        identify(everybody(), call));
  }

  /** Their number alone is within a second's worth. */
  @Test
  void largeMessagesCostAUserManyCalls() throws Exception {
    var refused = new CompletableFuture<Throwable>();
    StreamObserver<IdentifyManyRequest> questions =
        CallerIdServiceGrpc.newStub(user("1000"))
            .identifyMany(
                new StreamObserver<>() {
                  @Override
                  public void onNext(IdentifyManyResponse response) {}

                  @Override
                  public void onError(Throwable cause) {
                    refused.complete(cause);
                  }

                  @Override
                  public void onCompleted() {}
                });
    var unknown =
        UnknownFieldSet.Field.newBuilder()
            .addLengthDelimited(ByteString.copyFrom(new byte[60_000]))
            .build();
    Call call = node1.call("10.9.9.9:1", "10.0.0.2:22");
    var question =
        IdentifyManyRequest.newBuilder()
            .setConnection(CallerMapper.toProto(call.connection()))
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(1_000, unknown).build())
            .build();
    for (int i = 0; i < 60; i++) {
      questions.onNext(question);
    }
    assertEquals(
        "uid 1000 at loopback asks more than 100 times a second",
        Status.fromThrowable(refused.get(20, TimeUnit.SECONDS)).getDescription());
  }

  @Test
  void manyQuestionsAreAnsweredOnOneStream() throws Exception {
    int count = 2_000;
    Call call = node1.call("10.0.0.1:40000", "10.0.0.2:22");
    node1.announce(call, 1);
    Await.until("the call is there", () -> identify(everybody(), call) instanceof Found);
    Map<Long, CallerAnswer> answers = new ConcurrentHashMap<>();
    var done = new CompletableFuture<Void>();
    StreamObserver<IdentifyManyRequest> questions =
        CallerIdServiceGrpc.newStub(everybody())
            .identifyMany(
                new StreamObserver<>() {
                  @Override
                  public void onNext(IdentifyManyResponse response) {
                    answers.put(
                        response.getRequestId(),
                        CallerMapper.toModel(response.getAnswer(), "answer"));
                  }

                  @Override
                  public void onError(Throwable cause) {
                    done.completeExceptionally(cause);
                  }

                  @Override
                  public void onCompleted() {
                    done.complete(null);
                  }
                });
    Call unowned = node1.call("10.9.9.9:1", "10.0.0.2:22");
    for (long id = 0; id < count; id++) {
      questions.onNext(
          IdentifyManyRequest.newBuilder()
              .setRequestId(id)
              .setConnection(CallerMapper.toProto((id % 2 == 0 ? call : unowned).connection()))
              .build());
    }
    questions.onCompleted();
    done.get(30, TimeUnit.SECONDS);
    assertEquals(count, answers.size());
    assertEquals(new Found(call.caller()), answers.get(0L));
    assertEquals(new Unknown("no node has address 10.9.9.9"), answers.get(1L));
  }

  @Test
  void whoeverWatchesJobsSeesThemAsTheyStandAndAsTheyChange() {
    Iterator<WatchResponse> changes =
        JobServiceGrpc.newBlockingStub(user("1000"))
            .withDeadlineAfter(30, TimeUnit.SECONDS)
            .watch(WatchRequest.getDefaultInstance());
    Job first = changes.next().getJob();
    assertEquals(7, first.getJobId());
    assertEquals(JobState.JOB_STATE_OPEN, first.getState());
    node1.tell(FakeAgent.job(7, 1000).in(dev.rollcall.model.JobState.CLOSING), List.of());
    assertEquals(JobState.JOB_STATE_CLOSING, changes.next().getJob().getState());
    node1.say(
        dev.rollcall.proto.roll.v1.ConnectRequest.newBuilder()
            .setJobGone(dev.rollcall.proto.roll.v1.JobGone.newBuilder().setJobId(7))
            .build());
    assertEquals(JobState.JOB_STATE_CLOSED, changes.next().getJob().getState());
  }

  @Test
  void nodesAreListedWithTheirState() {
    var nodes = NodeServiceGrpc.newBlockingStub(everybody());
    var node = nodes.listNodes(ListNodesRequest.getDefaultInstance()).getNodes(0);
    assertEquals("node1", node.getNode());
    assertEquals(NodeState.NODE_STATE_CONNECTED, node.getState());
    assertEquals("gate0:7450", node.getGateway());
    assertEquals(2, node.getJobs());
    gateways.clock.advance(TestGateways.LEASE.plusSeconds(1));
    Await.until(
        "the node is lost",
        () ->
            nodes.listNodes(ListNodesRequest.getDefaultInstance()).getNodes(0).getState()
                == NodeState.NODE_STATE_LOST);
  }

  @Test
  void aRollThatIsAwayIsNamed() {
    gateways.memory.setUnavailable(true);
    var failure = assertThrows(StatusRuntimeException.class, () -> listed(everybody()));
    assertEquals(Status.Code.UNAVAILABLE, failure.getStatus().getCode());
    assertTrue(String.valueOf(failure.getMessage()).contains("the roll is not available"));
    CallerAnswer answer = identify(everybody(), node1.call("10.0.0.1:40000", "10.0.0.2:22"));
    assertTrue(
        answer instanceof CallerAnswer.Unreachable(String why) && why.contains("the roll"),
        answer.toString());
  }
}
