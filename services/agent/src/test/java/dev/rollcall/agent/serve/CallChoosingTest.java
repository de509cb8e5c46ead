package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.testkit.jobs.FakeProcess;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process has its next calls ask for a job that runs elsewhere. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallChoosingTest {
  private static final Connection CALL = TestNode.callFrom(TestNode.HERE, 40_000);
  private static final JobId JOB = new JobId(77);

  private volatile List<Job> known = List.of();
  private volatile String restriction = "";
  private Future<GatewayState> description = Future.failedFuture("not set");
  private TestNode node;
  private GrpcServices.Listening gateway;
  private FakeProcess process;
  private CallChoosing choosing;

  private final class Teller extends JobServiceGrpc.JobServiceImplBase {
    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> client) {
      client.onNext(GetResponse.newBuilder().addAllJobs(known).setRestriction(restriction).build());
      client.onCompleted();
    }
  }

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages();
    gateway =
        TestNode.await(
            new GrpcServices(
                    node.vertx,
                    List.of(new Teller().bindService()),
                    KeepAlive.CALM,
                    Optional.empty(),
                    PeerBounds.wide())
                .listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED));
    var up =
        GrpcChannel.tcp(node.vertx, "127.0.0.1", gateway.port(), Optional.empty(), KeepAlive.CALM);
    description = Future.succeededFuture(new GatewayState.Connected("gate:7450", up));
    node.onLoop(() -> {
      node.bus.answer(Queries.GATEWAY_STATE, _ -> description);
      return true;
    });
    process = node.jobs.start("rollcall");
    node.users.add(process, TestNode.ALICE, TestNode.ALICE);
    choosing = new CallChoosing(node.bus, new Upstream(node.bus), node.users, node.workers);
  }

  @AfterEach
  void stop() throws IOException {
    TestNode.await(gateway.close());
    node.close();
  }

  private static Job job(int uid, JobState state) {
    return Job.newBuilder().setJobId(77).setNode("node9").setUid(uid).setState(state).build();
  }

  private List<Job> choose(int uid) throws Exception {
    var asker = new SocketUser(process.ref().pid(), uid);
    return node.onLoop(() -> choosing.choose(asker, JOB).toCompletionStage().toCompletableFuture())
        .get(20, TimeUnit.SECONDS)
        .getJobsList();
  }

  private Status refusal(int uid) {
    return Status.fromThrowable(
        assertThrows(java.util.concurrent.ExecutionException.class, () -> choose(uid)));
  }

  /** What is told of a call that the process makes now. */
  private Optional<JobId> asked() {
    node.calls.callQuietly(node.seen(CALL, process.ref(), TestNode.ALICE));
    CallerAnswer answer =
        TestNode.await(node.bus.ask(Queries.CALLER_LOCAL, CALL, java.time.Duration.ofSeconds(20)));
    return ((CallerAnswer.Found) answer).caller().chosen();
  }

  @Test
  void isToldWithItsCallsFromThenOn() throws Exception {
    known = List.of(job(TestNode.ALICE, JobState.JOB_STATE_OPEN));
    assertEquals(Optional.empty(), asked());
    assertEquals(known, choose(TestNode.ALICE));
    assertEquals(Optional.of(JOB), asked());
  }

  @Test
  void fromWithinAJobNothingIsAskedFor() throws Exception {
    known = List.of(job(TestNode.ALICE, JobState.JOB_STATE_OPEN));
    var _ = choose(TestNode.ALICE);
    node.job(TestNode.OLDER, TestNode.ALICE, dev.rollcall.model.JobState.OPEN, 0);
    node.jobs.enter(process, new JobStep(TestNode.OLDER, StepId.EXTERN));
    assertEquals(Optional.empty(), asked());
  }

  @Test
  void aJobOfAnotherOrOneThatEndsOrNoneIsNotFound() {
    for (List<Job> jobs :
        List.of(
            List.<Job>of(),
            List.of(job(TestNode.BOB, JobState.JOB_STATE_OPEN)),
            List.of(job(TestNode.ALICE, JobState.JOB_STATE_CLOSING)))) {
      known = jobs;
      Status status = refusal(TestNode.ALICE);
      assertEquals(Status.Code.NOT_FOUND, status.getCode());
      assertEquals("the gateway shows this node no job 77 of yours", status.getDescription());
    }
    restriction = "this node sees itself";
    assertEquals(
        "the gateway shows this node no job 77 of yours: this node sees itself",
        refusal(TestNode.ALICE).getDescription());
    assertEquals(Optional.empty(), asked());
  }

  @Test
  void aProcessThatIsNotTheAskersMakesNoChoice() {
    known = List.of(job(TestNode.BOB, JobState.JOB_STATE_OPEN));
    assertEquals(Status.Code.FAILED_PRECONDITION, refusal(TestNode.BOB).getCode());
    process.exit();
    known = List.of(job(TestNode.ALICE, JobState.JOB_STATE_OPEN));
    assertEquals(Status.Code.FAILED_PRECONDITION, refusal(TestNode.ALICE).getCode());
  }

  @Test
  void withoutAGatewayThereIsNobodyToTell() {
    description = Future.succeededFuture(new GatewayState.Absent("gateway g:1 is unreachable"));
    Status status = refusal(TestNode.ALICE);
    assertEquals(Status.Code.UNAVAILABLE, status.getCode());
    assertEquals("gateway g:1 is unreachable", status.getDescription());
  }
}
