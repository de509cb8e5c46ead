package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.TestNode.Heard;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.OutsideProcess;
import dev.rollcall.agent.event.OutsideProcessesFound;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.ServedCall;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc.JobServiceFutureStub;
import dev.rollcall.proto.v1.Leftover;
import dev.rollcall.proto.v1.LeftoverKind;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.Limits;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.ListLeftoversRequest;
import dev.rollcall.proto.v1.ListLeftoversResponse;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.ListedProcess;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.OutsideAttribution;
import dev.rollcall.proto.v1.OutsideOrigin;
import dev.rollcall.proto.v1.OutsidePlan;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.Session;
import dev.rollcall.proto.v1.SetDevicesRequest;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.proto.v1.UsageKind;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.AllocationMapper;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.local.LocalChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The public services, over a real unix socket. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServeTest {
  private TestNode node;
  private LocalChannel channel;

  @BeforeEach
  void start() throws IOException {
    node = new TestNode().withStages();
    node.bus.answer(
        Queries.GATEWAY_STATE,
        _ ->
            Future.succeededFuture(
                new GatewayState.Absent("gateway gate:7450 is unreachable: refused")));
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
    channel = new LocalChannel(socket());
  }

  private Path socket() {
    return node.directory.resolve("agent.sock");
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private <T> T get(Supplier<? extends java.util.concurrent.Future<T>> call) throws Exception {
    return node.onLoop(call).get(20, TimeUnit.SECONDS);
  }

  private Status refusalOf(Supplier<? extends java.util.concurrent.Future<?>> call) {
    java.util.concurrent.Future<?> answer = node.onLoop(call);
    return Status.fromThrowable(
        assertThrows(ExecutionException.class, () -> answer.get(20, TimeUnit.SECONDS)));
  }

  private JobServiceFutureStub jobs() {
    return JobServiceGrpc.newFutureStub(channel);
  }

  @Test
  void listsTheNodesJobsWhileItIsNotConnected() throws Exception {
    node.twoJobsOfAlice();
    node.job(new JobId(50), TestNode.BOB, JobState.SUSPENDED, 2);
    ListResponse ofBob =
        get(() -> jobs().list(ListRequest.newBuilder().setUid(TestNode.BOB).build()));
    assertEquals(
        List.of(
            Job.newBuilder()
                .setJobId(50)
                .setNode("node2")
                .setUid(TestNode.BOB)
                .setGid(TestNode.BOB)
                .setUser("user2002")
                .setState(dev.rollcall.proto.v1.JobState.JOB_STATE_SUSPENDED)
                .setStartedAt(CallerMapper.timestamp(TestNode.NOON.plusSeconds(120)))
                .build()),
        ofBob.getJobsList());
    assertEquals(3, get(() -> jobs().list(ListRequest.getDefaultInstance())).getJobsCount());
  }

  @Test
  void limitsAreTakenAtTheBeginAndChangedAfterwards() throws Exception {
    var limits = Limits.newBuilder().setMemoryMax(4096).setCpus("0-1");
    var begin =
        BeginRequest.newBuilder()
            .setJobId(7)
            .setUid(2001)
            .setGid(2001)
            .setAllocation(Allocation.newBuilder().setLimits(limits));
    get(() -> jobs().begin(begin.build()));
    var change = LimitRequest.newBuilder().setJobId(7).setLimits(Limits.newBuilder().setPidsMax(9));
    assertEquals(limits.setPidsMax(9).build(), get(() -> jobs().limit(change.build())).getLimits());
    var step =
        BeginStepRequest.newBuilder().setJobId(7).setLimits(Limits.newBuilder().setMemoryMax(8192));
    Status refused = refusalOf(() -> jobs().beginStep(step.build()));
    assertEquals(Status.Code.FAILED_PRECONDITION, refused.getCode());
    assertEquals("memory.max 8192 is over the parent's: 4096", refused.getDescription());
    get(() -> jobs().beginStep(step.setLimits(Limits.newBuilder().setMemoryMax(1024)).build()));
    change.setStep("0");
    assertEquals(
        Limits.newBuilder().setMemoryMax(1024).setPidsMax(9).build(),
        get(() -> jobs().limit(change.build())).getLimits());
  }

  @Test
  void rulesAboutDevicesAreChanged() throws Exception {
    node.job(new JobId(7), TestNode.ALICE, JobState.OPEN, 0);
    var gpu = DeviceRule.parse("c 195:* rw");
    var rules = new DeviceRules(DeviceRules.Kind.DENY_LIST, List.of(gpu));
    var change =
        SetDevicesRequest.newBuilder().setJobId(7).setDevices(AllocationMapper.toProto(rules));
    get(() -> jobs().setDevices(change.build()));
    assertEquals(rules, node.jobs.devicesOf(new JobId(7), Optional.empty()));
    assertEquals(
        "step 7.3 is not on this node",
        refusalOf(() -> jobs().setDevices(change.setStep("3").build())).getDescription());
    change.getDevicesBuilder().setRules(0, "x 1:1 rw");
    Status refused = refusalOf(() -> jobs().setDevices(change.build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getCode());
  }

  @Test
  void limitsThatCannotBeAreRefusedByFieldAndValue() {
    var none = LimitRequest.newBuilder().setJobId(7).setStep("3");
    assertEquals(
        "step 7.3 is not on this node",
        refusalOf(() -> jobs().limit(none.build())).getDescription());
    var zero = LimitRequest.newBuilder().setJobId(7).setLimits(Limits.newBuilder().setMemoryMax(0));
    Status refused = refusalOf(() -> jobs().limit(zero.build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getCode());
    assertEquals("limits: memory.max 0 is below 1", refused.getDescription());
  }

  @Test
  void beginsAJobAndAStepAndEndsIt() throws Exception {
    var begin = BeginRequest.newBuilder().setJobId(7).setUid(2001).setGid(2001).build();
    var begun = new LinkedBlockingQueue<JobId>();
    node.bus.hear(Topics.STEP_BEGUN, begun::add);
    assertEquals(
        dev.rollcall.proto.v1.JobState.JOB_STATE_OPEN,
        get(() -> jobs().begin(begin)).getJob().getState());
    var step = get(() -> jobs().beginStep(BeginStepRequest.newBuilder().setJobId(7).build()));
    assertEquals("0", step.getStep().getStep());
    assertEquals(new JobId(7), begun.poll(20, TimeUnit.SECONDS));
    assertEquals(2001, step.getUid());
    assertEquals(1, step.getProcsFilesCount());
    var process = node.jobs.start("sleep");
    node.jobs.enter(process, new JobStep(new JobId(7), StepId.of(0)));
    assertEquals(
        List.of("sleep"),
        get(() -> jobs().listProcesses(ListProcessesRequest.newBuilder().setJobId(7).build()))
            .getNodes(0)
            .getProcessesList()
            .stream()
            .map(ListedProcess::getCommand)
            .toList());
    EndResponse end = get(() -> jobs().end(EndRequest.newBuilder().setJobId(7).build()));
    assertEquals(EndResponse.newBuilder().setClean(true).setKilled(1).build(), end);
    assertEquals(
        List.of(new Jobs.EndOrder("", Duration.ofSeconds(7), Duration.ofSeconds(37))),
        node.jobs.endOrders());
    assertEquals(
        EndResponse.newBuilder().setClean(true).setAbsent(true).build(),
        get(() -> jobs().end(EndRequest.newBuilder().setJobId(7).build())));
  }

  @Test
  void listsWhatAJobLeft() throws Exception {
    var request = ListLeftoversRequest.newBuilder().setJobId(7).build();
    assertEquals(
        ListLeftoversResponse.getDefaultInstance(), get(() -> jobs().listLeftovers(request)));
    get(() ->
        jobs().begin(BeginRequest.newBuilder().setJobId(7).setUid(2001).setGid(2001).build()));
    var process = node.jobs.start("sleep");
    node.jobs.enter(process, new JobStep(new JobId(7), StepId.EXTERN));
    assertEquals(
        ListLeftoversResponse.newBuilder()
            .addLeftovers(
                Leftover.newBuilder()
                    .setJobId(7)
                    .setKind(LeftoverKind.LEFTOVER_KIND_JOB)
                    .setName("job 7 is OPEN"))
            .addLeftovers(
                Leftover.newBuilder()
                    .setJobId(7)
                    .setKind(LeftoverKind.LEFTOVER_KIND_PROCESS)
                    .setName(process.ref().pid() + " (sleep)"))
            .build(),
        get(() -> jobs().listLeftovers(request)));
    // Of an open job there is nothing to remove.
    assertEquals(
        ListLeftoversResponse.getDefaultInstance(),
        get(() -> jobs().listLeftovers(ListLeftoversRequest.getDefaultInstance())));
  }

  @Test
  void tellsWhatAJobUsedAndWhatBefallsIt() throws Exception {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    node.jobs.adopt(node.jobs.start("sshd"), TestNode.OLDER, TestNode.ALICE);
    var request = GetUsageRequest.newBuilder().setJobId(41).build();
    assertEquals(
        List.of(UsageKind.USAGE_KIND_JOB, UsageKind.USAGE_KIND_STEP, UsageKind.USAGE_KIND_SESSION),
        get(() -> jobs().getUsage(request)).getRecordsList().stream()
            .map(UsageRecord::getKind)
            .toList());
    Status unknown =
        refusalOf(() -> jobs().getUsage(GetUsageRequest.newBuilder().setJobId(9).build()));
    assertEquals(Status.Code.NOT_FOUND, unknown.getCode());
    assertEquals("job 9 is not on node node2", unknown.getDescription());
  }

  @Test
  void watchersOfUsageAreToldOfTheirJobAlone() throws Exception {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var watched = Heard.<WatchUsageResponse>empty();
    node.onLoop(() -> {
      JobServiceGrpc.newStub(channel)
          .watchUsage(WatchUsageRequest.newBuilder().setJobId(41).build(), watched.observer());
      return watched;
    });
    // Nothing tells when the watch has begun.
    Await.until(
        "it is heard of",
        () -> {
          node.bus.tell(Topics.INCIDENT_RECORDED, incident(TestNode.NEWER));
          node.bus.tell(Topics.INCIDENT_RECORDED, incident(TestNode.OLDER));
          return !watched.queue().isEmpty();
        });
    assertEquals(41, watched.next().getIncident().getJob().getJobId());
  }

  private static Incident incident(JobId job) {
    return new Incident(
        Incident.Kind.OOM_KILL,
        new JobStep(job, StepId.EXTERN),
        OptionalLong.of(1),
        1,
        TestNode.NOON,
        "memory.max");
  }

  @Test
  void endsAJobOfTheNamedOwnerOnly() throws Exception {
    node.jobs.put(
        new dev.rollcall.model.Job(new JobId(7), 2001, 2001, TestNode.NOON, JobState.OPEN));
    var end = EndRequest.newBuilder().setJobId(7);
    for (int other : new int[] {0, 2002, -2}) {
      assertEquals(
          "job 7 belongs to uid 2001 here: it was not ended",
          refusalOf(() -> jobs().end(end.setUid(other).build())).getDescription());
    }
    assertEquals(List.of(), node.jobs.endOrders());
    assertTrue(get(() -> jobs().end(end.setUid(2001).build())).getClean());
    assertEquals(1, node.jobs.endOrders().size());
    assertTrue(get(() -> jobs().end(end.setUid(2002).setJobId(8).build())).getClean());
  }

  @Test
  void endsAsItIsTold() throws Exception {
    node.jobs.put(
        new dev.rollcall.model.Job(new JobId(7), 2001, 2001, TestNode.NOON, JobState.OPEN));
    var process = node.jobs.start("sleep");
    node.jobs.enter(process, new JobStep(new JobId(7), StepId.of(0)));
    process.killable(false);
    var request =
        EndRequest.newBuilder()
            .setJobId(7)
            .setMessage("bye")
            .setGrace(CallerMapper.duration(Duration.ofSeconds(2)))
            .setWait(CallerMapper.duration(Duration.ofSeconds(3)))
            .build();
    EndResponse end = get(() -> jobs().end(request));
    assertEquals(
        List.of(new Jobs.EndOrder("bye", Duration.ofSeconds(2), Duration.ofSeconds(3))),
        node.jobs.endOrders());
    assertFalse(end.getClean());
    assertEquals("processes do not end", end.getReason());
    var tooLong = CallerMapper.duration(Duration.ofMinutes(11));
    assertEquals(
        "grace: PT11M is not within 0 and PT10M",
        refusalOf(() -> jobs().end(EndRequest.newBuilder().setJobId(7).setGrace(tooLong).build()))
            .getDescription());
  }

  @Test
  void suspendsAndResumesAJob() throws Exception {
    node.jobs.put(
        new dev.rollcall.model.Job(new JobId(7), 2001, 2001, TestNode.NOON, JobState.OPEN));
    var suspend = SuspendRequest.newBuilder().setJobId(7).build();
    var resume = ResumeRequest.newBuilder().setJobId(7).build();
    assertEquals(
        dev.rollcall.proto.v1.JobState.JOB_STATE_SUSPENDED,
        get(() -> jobs().suspend(suspend)).getJob().getState());
    assertEquals(
        dev.rollcall.proto.v1.JobState.JOB_STATE_OPEN,
        get(() -> jobs().resume(resume)).getJob().getState());
    node.jobs.put(
        new dev.rollcall.model.Job(new JobId(7), 2001, 2001, TestNode.NOON, JobState.CLOSING));
    Status refused = refusalOf(() -> jobs().suspend(suspend));
    assertEquals(Status.Code.FAILED_PRECONDITION, refused.getCode());
    assertEquals("job 7 is closing", refused.getDescription());
    Status unknown = refusalOf(() -> jobs().resume(ResumeRequest.newBuilder().setJobId(8).build()));
    assertEquals(Status.Code.NOT_FOUND, unknown.getCode());
    assertEquals("job 8 is not on this node", unknown.getDescription());
  }

  @Test
  void aStepGetsTheJobsEnvironmentAndRlimits() throws Exception {
    get(() -> jobs().begin(BeginRequest.newBuilder().setJobId(7).setUid(2001).build()));
    node.jobs.setUp(
        new JobId(7),
        SessionSetup.of(
            new dev.rollcall.model.allocation.Allocation(
                dev.rollcall.model.allocation.Limits.NONE,
                DeviceRules.OPEN,
                Map.of("CUDA_VISIBLE_DEVICES", "0", "LD_PRELOAD", "/evil.so"),
                List.of(new Rlimit(Rlimit.Resource.NOFILE, 256, Rlimit.UNLIMITED))),
            0));
    var step = get(() -> jobs().beginStep(BeginStepRequest.newBuilder().setJobId(7).build()));
    assertEquals(Map.of("CUDA_VISIBLE_DEVICES", "0"), step.getEnvironmentMap());
    assertEquals(
        List.of(
            dev.rollcall.proto.v1.Rlimit.newBuilder().setResource("nofile").setSoft(256).build()),
        step.getRlimitsList());
  }

  @Test
  void namesTheFieldThatMakesNoSense() {
    Status status = refusalOf(() -> jobs().begin(BeginRequest.getDefaultInstance()));
    assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
    assertEquals("job_id: job id 0 is not within 1 to 4294967295", status.getDescription());
    Status connection =
        refusalOf(() ->
            CallerIdServiceGrpc.newFutureStub(channel)
                .identify(IdentifyRequest.getDefaultInstance()));
    assertEquals(Status.Code.INVALID_ARGUMENT, connection.getCode());
  }

  /** Without a gateway, too; of another node there is no answer then. */
  @Test
  void findsTheJobOfAProcessOfThisNode() throws Exception {
    node.twoJobsOfAlice();
    var sleep = node.jobs.start("sleep");
    node.jobs.enter(sleep, new JobStep(TestNode.OLDER, StepId.of(0)));
    node.users.add(sleep, TestNode.ALICE, TestNode.ALICE);
    var request = IdentifyProcessRequest.newBuilder().setPid(sleep.ref().pid());
    var callers = CallerIdServiceGrpc.newFutureStub(channel);
    assertEquals(
        41,
        get(() -> callers.identifyProcess(request.setNode("node2").build()))
            .getAnswer()
            .getInJob()
            .getJob()
            .getJobId());
    assertEquals(
        Status.Code.UNAVAILABLE,
        refusalOf(() -> callers.identifyProcess(request.setNode("node7").build())).getCode());
  }

  @Test
  void identifiesACallerOfThisNode() throws Exception {
    var ssh = node.jobs.start("ssh");
    node.jobs.enter(ssh, new JobStep(TestNode.OLDER, StepId.of(0)));
    Connection call =
        Connection.tcp(new Endpoint(TestNode.HERE, 4_000), new Endpoint(TestNode.FAR, 5_000));
    node.calls.callQuietly(node.seen(call, ssh.ref(), TestNode.ALICE));
    assertEquals(41, identify(call).getAnswer().getFound().getJob().getJobId());
  }

  private IdentifyResponse identify(Connection call) throws Exception {
    return get(() ->
        CallerIdServiceGrpc.newFutureStub(channel)
            .identify(
                IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(call)).build()));
  }

  @Test
  void saysWhyACallerElsewhereCannotBeAskedFor() throws Exception {
    assertEquals(
        "gateway gate:7450 is unreachable: refused",
        identify(TestNode.callFrom(TestNode.FAR, 1)).getAnswer().getUnreachable().getReason());
  }

  @Test
  void watchesJobsFromTheirStateOn() {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var watched = Heard.<WatchResponse>empty();
    watch(watched);
    assertEquals(41, watched.next().getJob().getJobId());
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.BEGINNING, 0);
    assertEquals(42, watched.next().getJob().getJobId());
  }

  private void watch(Heard<WatchResponse> watched) {
    node.onLoop(() -> {
      JobServiceGrpc.newStub(channel).watch(WatchRequest.getDefaultInstance(), watched.observer());
      return watched;
    });
  }

  @Test
  void refusesAUserWithTooManyCalls() {
    List<Heard<WatchResponse>> watches = new ArrayList<>();
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    for (int i = 0; i < 256; i++) {
      var watched = Heard.<WatchResponse>empty();
      watch(watched);
      watches.add(watched);
    }
    watches.forEach(Heard::next);
    // Another connection: one alone may not have so many streams.
    var other = new LocalChannel(socket());
    Status status =
        refusalOf(() -> JobServiceGrpc.newFutureStub(other).list(ListRequest.getDefaultInstance()));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, status.getCode());
  }

  /** Whoever gave the order was told nothing of it, and may have planned anew. */
  @Test
  void anOrderWhoseCallerHasGoneIsNotCarriedOut() throws Exception {
    Heard<ServedCall> served = node.hear(Topics.CALL_SERVED);
    var held = new CountDownLatch(1);
    var busy = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) { // as many as there are workers
      var _ = node.workers.executeBlocking(() -> hold(busy, held), false);
    }
    busy.await();
    var given = node.onLoop(() -> jobs().begin(begin(50)));
    var late =
        node.onLoop(() -> jobs().withDeadlineAfter(300, TimeUnit.MILLISECONDS).begin(begin(51)));
    assertThrows(ExecutionException.class, () -> late.get(20, TimeUnit.SECONDS));
    given.cancel(true);
    var _ = served.next();
    var _ = served.next();
    var kept = node.onLoop(() -> jobs().begin(begin(52)));
    held.countDown();
    kept.get(20, TimeUnit.SECONDS);
    assertEquals(
        List.of(52L),
        get(() -> jobs().list(ListRequest.getDefaultInstance())).getJobsList().stream()
            .map(Job::getJobId)
            .toList());
  }

  private static BeginRequest begin(long job) {
    return BeginRequest.newBuilder().setJobId(job).setUid(2001).setGid(2001).build();
  }

  private static boolean hold(CountDownLatch busy, CountDownLatch held)
      throws InterruptedException {
    busy.countDown();
    return held.await(50, TimeUnit.SECONDS);
  }

  @Test
  void explainsNothingThatItDoesNotRemember() {
    Status status =
        refusalOf(() ->
            AdoptionServiceGrpc.newFutureStub(channel)
                .explain(ExplainRequest.newBuilder().setAdoptionId("x-1").build()));
    assertEquals(Status.Code.NOT_FOUND, status.getCode());
    assertEquals("no adoption 'x-1' is remembered on this node", status.getDescription());
  }

  @Test
  void explainsTheLastSession() throws Exception {
    node.withLoginSocket();
    dev.rollcall.agent.login.socket.ModuleRequest.ask(
        node.loginSocket(),
        dev.rollcall.agent.login.socket.ModuleRequest.login(
            TestNode.BOB, TestNode.callFrom(TestNode.FAR, 40_000)));
    var adoption =
        get(() ->
                AdoptionServiceGrpc.newFutureStub(channel)
                    .explain(ExplainRequest.getDefaultInstance()))
            .getAdoption();
    assertEquals("no-jobs", adoption.getReason());
    assertEquals(Outcome.OUTCOME_DENIED, adoption.getOutcome());
    assertEquals(TestNode.BOB, adoption.getUid());
  }

  @Test
  void listsSessionsAndWhetherTheyLive() throws Exception {
    node.withLoginSocket();
    node.twoJobsOfAlice();
    var denied = node.logins(Adoption.Outcome.DENIED);
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    login(TestNode.BOB, 40_000);
    denied.next();
    login(TestNode.ALICE, 40_001);
    adopted.next();
    var all = list(ListSessionsRequest.getDefaultInstance());
    assertEquals(List.of(TestNode.ALICE, TestNode.BOB), uids(all));
    assertEquals(List.of(true, false), all.stream().map(session -> session.getLive()).toList());
    assertEquals(
        List.of(TestNode.BOB),
        uids(list(ListSessionsRequest.newBuilder().setUid(TestNode.BOB).build())));
    long job = all.getFirst().getAdoption().getJob().getJobId();
    assertEquals(
        List.of(TestNode.ALICE),
        uids(list(ListSessionsRequest.newBuilder().setJobId(job).build())));
    assertEquals(List.of(), uids(list(ListSessionsRequest.newBuilder().setJobId(77).build())));
  }

  /** The PAM line may have admitted it. */
  @Test
  void aSessionThatCouldNotBeDecidedFailedAndMayLive() throws Exception {
    node.withLoginSocket();
    node.jobs.unknown(Optional.of("Slurm's spool directory is gone"));
    login(TestNode.BOB, 40_000);
    Session session = list(ListSessionsRequest.getDefaultInstance()).getFirst();
    assertEquals(Outcome.OUTCOME_FAILED, session.getAdoption().getOutcome());
    assertTrue(session.getLive());
  }

  private ListAdoptionsResponse adoptions(ListAdoptionsRequest.Builder request) throws Exception {
    return get(() -> AdoptionServiceGrpc.newFutureStub(channel).listAdoptions(request.build()));
  }

  private static List<Integer> adopted(ListAdoptionsResponse response) {
    return response.getAdoptionsList().stream().map(each -> each.getUid()).toList();
  }

  @Test
  void listsItsDecisionsInPartsAndThoseOfOtherNodesByTheGatewayAlone() throws Exception {
    node.withLoginSocket();
    node.twoJobsOfAlice();
    var denied = node.logins(Adoption.Outcome.DENIED);
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    login(TestNode.BOB, 40_000);
    denied.next();
    login(TestNode.ALICE, 40_001);
    adopted.next();
    var all = adoptions(ListAdoptionsRequest.newBuilder());
    assertEquals(List.of(TestNode.ALICE, TestNode.BOB), adopted(all));
    assertEquals("", all.getNextPageToken());
    assertEquals("node2", all.getAdoptions(0).getNode());
    var first = adoptions(ListAdoptionsRequest.newBuilder().setNode("node2").setPageSize(1));
    assertEquals(List.of(TestNode.ALICE), adopted(first));
    assertEquals(
        List.of(TestNode.BOB),
        adopted(
            adoptions(ListAdoptionsRequest.newBuilder().setPageToken(first.getNextPageToken()))));
    assertEquals(
        List.of(TestNode.BOB),
        adopted(adoptions(ListAdoptionsRequest.newBuilder().setOutcome(Outcome.OUTCOME_DENIED))));
    assertEquals(
        List.of(),
        adopted(adoptions(ListAdoptionsRequest.newBuilder().setUid(TestNode.BOB).setJobId(42))));
    var elsewhere = ListAdoptionsRequest.newBuilder().setNode("node1").build();
    assertEquals(
        Status.Code.UNAVAILABLE,
        refusalOf(() -> AdoptionServiceGrpc.newFutureStub(channel).listAdoptions(elsewhere))
            .getCode());
  }

  @Test
  void whoWatchesIsToldTheLastOnesFirstAndNothingTwice() throws Exception {
    node.withLoginSocket();
    node.twoJobsOfAlice();
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    for (int port = 40_000; port < 40_003; port++) {
      login(TestNode.ALICE, port);
      adopted.next();
    }
    TestNode.Heard<WatchAdoptionsResponse> seen = TestNode.Heard.empty();
    node.onLoop(() -> {
      AdoptionServiceGrpc.newStub(channel)
          .watchAdoptions(WatchAdoptionsRequest.newBuilder().setRecent(2).build(), seen.observer());
      return true;
    });
    assertEquals(40_001, from(seen.next()));
    assertEquals(40_002, from(seen.next()));
    login(TestNode.ALICE, 40_003);
    assertEquals(40_003, from(seen.next()));
    assertTrue(seen.queue().isEmpty());
    TestNode.Heard<Throwable> refused = TestNode.Heard.empty();
    node.onLoop(() -> {
      AdoptionServiceGrpc.newStub(channel)
          .watchAdoptions(
              WatchAdoptionsRequest.newBuilder().setRecent(1_001).build(),
              new StreamObserver<>() {
                @Override
                public void onNext(WatchAdoptionsResponse message) {}

                @Override
                public void onError(Throwable cause) {
                  refused.queue().add(cause);
                }

                @Override
                public void onCompleted() {}
              });
      return true;
    });
    assertEquals(
        "recent: 1001 is more than 1000", Status.fromThrowable(refused.next()).getDescription());
  }

  private static int from(WatchAdoptionsResponse told) {
    return told.getAdoption().getConnection().getRemote().getPort();
  }

  private static OutsideProcess outsideProcess(int pid, int uid) {
    return new OutsideProcess(
        new ProcessRef(pid, 9),
        uid,
        "sleep",
        TestNode.NOON,
        OutsideProcess.Origin.CRON,
        "/system.slice/cron.service",
        Optional.empty(),
        Optional.of(new OutsideProcess.Attributed(TestNode.OLDER, OutsideProcess.By.LINEAGE)),
        OutsideProcess.Plan.ADOPT);
  }

  private ListOutsideProcessesResponse outsideProcesses(ListOutsideProcessesRequest.Builder request)
      throws Exception {
    return get(() -> NodeServiceGrpc.newFutureStub(channel).listOutsideProcesses(request.build()));
  }

  @Test
  void listsWhatIsInNoJob() throws Exception {
    node.onLoop(() -> {
      node.bus.answer(
          Queries.OUTSIDE_PROCESSES_LISTED,
          wanted ->
              Future.succeededFuture(
                  new OutsideProcessesFound(
                          List.of(
                              outsideProcess(5, TestNode.ALICE), outsideProcess(6, TestNode.BOB)),
                          0,
                          TestNode.NOON)
                      .only(wanted)));
      return true;
    });
    var all = outsideProcesses(ListOutsideProcessesRequest.newBuilder().addNodes("node2"));
    assertEquals(all, outsideProcesses(ListOutsideProcessesRequest.newBuilder()));
    assertEquals(2, all.getNodes(0).getOutsideProcessesCount());
    assertEquals(
        dev.rollcall.proto.v1.OutsideProcess.newBuilder()
            .setProcess(CallerMapper.toProto(new ProcessRef(6, 9)))
            .setUid(TestNode.BOB)
            .setCommand("sleep")
            .setStartedAt(CallerMapper.timestamp(TestNode.NOON))
            .setOrigin(OutsideOrigin.OUTSIDE_ORIGIN_CRON)
            .setCgroup("/system.slice/cron.service")
            .setJobId(TestNode.OLDER.number())
            .setAttribution(OutsideAttribution.OUTSIDE_ATTRIBUTION_LINEAGE)
            .setPlan(OutsidePlan.OUTSIDE_PLAN_ADOPT)
            .build(),
        outsideProcesses(ListOutsideProcessesRequest.newBuilder().setUid(TestNode.BOB))
            .getNodes(0)
            .getOutsideProcesses(0));
  }

  @Test
  void whatIsInNoJobElsewhereIsTheGatewaysToTell() {
    var elsewhere =
        ListOutsideProcessesRequest.newBuilder().addNodes("node2").addNodes("node3").build();
    Status status =
        refusalOf(() -> NodeServiceGrpc.newFutureStub(channel).listOutsideProcesses(elsewhere));
    assertEquals(Status.Code.UNAVAILABLE, status.getCode());
    var bad = ListOutsideProcessesRequest.newBuilder().addNodes("no/node").build();
    Status refused =
        refusalOf(() -> NodeServiceGrpc.newFutureStub(channel).listOutsideProcesses(bad));
    assertEquals(Status.Code.INVALID_ARGUMENT, refused.getCode());
    assertTrue(
        String.valueOf(refused.getDescription()).startsWith("nodes[0]: "), refused::toString);
  }

  @Test
  void saysInWhichJobsASessionIsNow() throws Exception {
    node.withLoginSocket();
    node.twoJobsOfAlice();
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    login(TestNode.ALICE, 40_000);
    adopted.next();
    var shell = node.jobs.start("bash");
    var editor = node.jobs.start("vi");
    node.users.begun(node.lastPeer, shell, TestNode.ALICE);
    node.users.begun(shell.ref(), editor, TestNode.ALICE);
    node.users.begun(node.lastPeer, node.jobs.start("sftp-server"), TestNode.BOB);
    node.jobs.enter(shell, new JobStep(TestNode.NEWER, StepId.EXTERN));
    node.jobs.enter(editor, new JobStep(TestNode.NEWER, StepId.EXTERN));
    assertEquals(List.of(42L), jobsNow());
    node.jobs.enter(editor, new JobStep(TestNode.OLDER, StepId.EXTERN));
    assertEquals(List.of(41L, 42L), jobsNow());
    node.jobs.enter(shell, new JobStep(TestNode.OLDER, StepId.EXTERN));
    assertEquals(List.of(41L), jobsNow());
    var explained =
        get(() ->
            AdoptionServiceGrpc.newFutureStub(channel)
                .explain(ExplainRequest.getDefaultInstance()));
    assertEquals(42, explained.getAdoption().getJob().getJobId());
    assertEquals(List.of(41L), explained.getJobsNowList());
  }

  private List<Long> jobsNow() throws Exception {
    return list(ListSessionsRequest.getDefaultInstance()).getFirst().getJobsNowList();
  }

  private void login(int uid, int port) {
    dev.rollcall.agent.login.socket.ModuleRequest.ask(
        node.loginSocket(),
        dev.rollcall.agent.login.socket.ModuleRequest.login(
            uid, TestNode.callFrom(TestNode.FAR, port)));
  }

  private List<Session> list(ListSessionsRequest request) throws Exception {
    return get(() -> AdoptionServiceGrpc.newFutureStub(channel).listSessions(request))
        .getSessionsList();
  }

  private static List<Integer> uids(List<Session> sessions) {
    return sessions.stream().map(session -> session.getAdoption().getUid()).toList();
  }

  @Test
  void movesAProcessIntoAJob() throws Exception {
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    var shell = node.jobs.start("bash");
    node.users.add(shell, TestNode.ALICE, TestNode.ALICE);
    var request =
        AdoptRequest.newBuilder()
            .setJobId(TestNode.OLDER.number())
            .setProcess(CallerMapper.toProto(shell.ref()))
            .build();
    var into = get(() -> AdoptionServiceGrpc.newFutureStub(channel).adopt(request)).getJob();
    assertEquals("extern", into.getStep());
    assertEquals(
        List.of(shell.ref()),
        node.jobs.processes(TestNode.OLDER).stream().map(each -> each.process()).toList());
  }

  @Test
  void movesNothingThatHasNoPid() {
    var request =
        AdoptRequest.newBuilder()
            .setJobId(7)
            .setProcess(dev.rollcall.proto.v1.Process.getDefaultInstance())
            .build();
    Status status = refusalOf(() -> AdoptionServiceGrpc.newFutureStub(channel).adopt(request));
    assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode());
    assertEquals("process.pid: 0 is not positive", status.getDescription());
  }

  private PredictResponse predict(int uid) throws Exception {
    var request = PredictRequest.newBuilder().setUid(uid).setNode("node2").build();
    return get(() -> AdoptionServiceGrpc.newFutureStub(channel).predict(request));
  }

  @Test
  void predictsWhatALoginThenFinds() throws Exception {
    node.withLoginSocket();
    assertEquals("no-jobs", predict(TestNode.ALICE).getReason());
    assertEquals(
        "you have no active jobs on this node, or one is still starting",
        predict(TestNode.ALICE).getMessage());
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
    assertEquals(TestNode.OLDER.number(), predict(TestNode.ALICE).getJobId());
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.OPEN, 1);
    var several = predict(TestNode.ALICE);
    assertEquals("newest-job", several.getReason());
    assertEquals(
        List.of(TestNode.OLDER.number(), TestNode.NEWER.number()), several.getCallersJobsList());
    assertFalse(several.getOptionsSeen());
    assertEquals(Outcome.OUTCOME_STEPPED_ASIDE, predict(0).getOutcome());
    var adopted = node.logins(Adoption.Outcome.ADOPTED);
    login(TestNode.ALICE, 40_000);
    assertEquals(several.getJobId(), adopted.next().job().orElseThrow().job().number());
    assertEquals(true, predict(TestNode.ALICE).getOptionsSeen());
    node.job(TestNode.NEWER, TestNode.ALICE, JobState.CLOSING, 1);
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.SUSPENDED, 0);
    assertEquals("job-suspended", predict(TestNode.ALICE).getReason());
    node.job(TestNode.OLDER, TestNode.ALICE, JobState.BEGINNING, 0);
    assertEquals("job-starting", predict(TestNode.ALICE).getReason());
  }

  @Test
  void saysWhatWouldBeDecidedAndThatItIsNotEnforced() throws Exception {
    node.auditOnly.uids = Set.of(TestNode.ALICE);
    node.auditOnly.answers.countDown();
    PredictResponse alices = predict(TestNode.ALICE);
    assertEquals(Outcome.OUTCOME_DENIED, alices.getOutcome());
    assertEquals("the test's word", alices.getOnlyWatched());
    assertEquals("", predict(TestNode.BOB).getOnlyWatched());
  }

  @Test
  void saysThatItCouldNotFindOutWhetherItIsEnforced() throws Exception {
    node.auditOnly.uids = Set.of(TestNode.ALICE);
    node.auditOnly.blocks = true;
    PredictResponse told = predict(TestNode.ALICE);
    assertEquals("", told.getOnlyWatched());
    assertTrue(told.getDoubt().startsWith("whether the session is audit-only: "), told.getDoubt());
    node.auditOnly.answers.countDown();
  }

  @Test
  void asksTheGatewayAboutAnotherNode() {
    var request = PredictRequest.newBuilder().setUid(1).setNode("node9").build();
    Status status = refusalOf(() -> AdoptionServiceGrpc.newFutureStub(channel).predict(request));
    assertEquals(Status.Code.UNAVAILABLE, status.getCode());
    assertEquals("gateway gate:7450 is unreachable: refused", status.getDescription());
  }
}
