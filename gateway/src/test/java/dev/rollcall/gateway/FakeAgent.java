package dev.rollcall.gateway;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.RefusedAddresses;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ClusterPrefixes;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Heartbeat;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.ListedJobProcess;
import dev.rollcall.proto.roll.v1.MembershipAnswer;
import dev.rollcall.proto.roll.v1.OutsideProcessesAnswer;
import dev.rollcall.proto.roll.v1.OutsideProcessesQuestion;
import dev.rollcall.proto.roll.v1.PredictionAnswer;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.proto.roll.v1.UsageAnswer;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.OutsideOrigin;
import dev.rollcall.proto.v1.OutsidePlan;
import dev.rollcall.proto.v1.OutsideProcess;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.ProcessMapper;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node's stream to a gateway, which says what a test makes it say. */
final class FakeAgent implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
  static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  static final String CLUSTER = GatewayConfig.DEFAULTS.cluster();

  /** A process that started after the node's last report. */
  static final int NEW_PID = 4711;

  private final NodeName node;
  private final Set<InetAddress> addresses;
  private volatile RefusedAddresses refused = RefusedAddresses.NONE;
  private final BlockingQueue<ConnectResponse> orders = new LinkedBlockingQueue<>();

  /** The prefixes of nodes that it was sent after its welcome. */
  final BlockingQueue<ClusterPrefixes> prefixes = new LinkedBlockingQueue<>();

  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private @Nullable ClientCallStreamObserver<ConnectRequest> stream;
  private long epoch = 1;

  /** How questions that come down the stream are answered; null: not at all. */
  private volatile @Nullable Function<Connection, CallerAnswer> answers;

  private volatile boolean answeredAClient;

  private volatile List<JobProcess> processes = List.of();
  private volatile @Nullable List<OutsideProcess> outsideProcesses;

  /** About whom the gateway asked, of those in no job. */
  final BlockingQueue<OutsideProcessesQuestion> outsideProcessesAsked = new LinkedBlockingQueue<>();

  /** What it says would become of users; null: nothing. */
  private volatile @Nullable IntFunction<PredictResponse> prediction;

  /** How it answers questions about single processes; null: not at all. */
  private volatile @Nullable IntFunction<ProcessAnswer> membership;

  private volatile List<UsageRecord> usage = List.of();

  /** So many processes without a pid are in each list of a job's. */
  private volatile int empty;

  private volatile boolean fewer;

  FakeAgent(Channel channel, String node, String... addresses) {
    this.node = new NodeName(node);
    this.addresses =
        Arrays.stream(addresses).map(InetAddress::ofLiteral).collect(Collectors.toSet());
    var _ = RollServiceGrpc.newStub(channel).connect(this);
  }

  FakeAgent epoch(long number) {
    epoch = number;
    return this;
  }

  Hello hello() {
    return NodeMapper.hello(
        CLUSTER,
        new Roll.NodeDescription(
            new NodeEpoch(node, "boot-" + node, epoch), addresses, "", "0.1.0", "sock_ops"));
  }

  /** Says hello, and that it has no jobs; returns when it was welcomed. */
  FakeAgent connect() throws InterruptedException {
    say(hello());
    ConnectResponse first = next();
    if (!first.hasWelcome()) {
      throw new AssertionError("expected a welcome, got " + first);
    }
    return this;
  }

  FakeAgent connectWithoutJobs() throws InterruptedException {
    connect();
    complete();
    return this;
  }

  void say(Hello hello) {
    say(ConnectRequest.newBuilder().setHello(hello).build());
  }

  void complete() {
    say(ConnectRequest.newBuilder().setStateComplete(StateComplete.getDefaultInstance()).build());
  }

  void heartbeat() {
    say(ConnectRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build());
  }

  void tell(Job job, List<JobProcess> members) {
    JobMapper.told(job, node, userName(job.uid()), members, NOW)
        .forEach(message -> say(ConnectRequest.newBuilder().setJob(message).build()));
  }

  void announce(Call call, long sequence) {
    say(
        ConnectRequest.newBuilder()
            .setAnnouncement(NodeMapper.announcement(call, epoch, sequence))
            .build());
  }

  void callsLost(long lost) {
    say(
        ConnectRequest.newBuilder()
            .setCallsLost(CallsLost.newBuilder().setNode(node.text()).setLost(lost))
            .build());
  }

  void withdraw(Connection call, long sequence) {
    say(
        ConnectRequest.newBuilder()
            .setWithdrawal(NodeMapper.withdrawal(node, call, epoch, sequence))
            .build());
  }

  void say(ConnectRequest event) {
    ClientCallStreamObserver<ConnectRequest> open = stream;
    if (open == null) {
      throw new IllegalStateException("not started");
    }
    open.onNext(event);
  }

  /** Asks on its stream who made a call. */
  CallerAnswer ask(Connection call) throws InterruptedException {
    return ask(Question.newBuilder().setConnection(CallerMapper.toProto(call)));
  }

  /** The same of a connection, of which reports before it began do not count. */
  CallerAnswer ask(Connection call, Duration mostAge) throws InterruptedException {
    return ask(
        Question.newBuilder()
            .setConnection(CallerMapper.toProto(call))
            .setMostAge(CallerMapper.duration(mostAge)));
  }

  private CallerAnswer ask(Question.Builder question) throws InterruptedException {
    question.setQuestionId(1).setPatience(CallerMapper.duration(Duration.ofSeconds(2)));
    say(ConnectRequest.newBuilder().setQuestion(question).build());
    ConnectResponse answer = next();
    if (!answer.hasAnswer()) {
      throw new AssertionError("expected an answer, got " + answer);
    }
    return CallerMapper.toModel(answer.getAnswer().getAnswer(), "answer");
  }

  /** Who asked what it answered last: a client of the gateway, and not a node. */
  boolean answeredAClient() {
    return answeredAClient;
  }

  void answerWith(@Nullable Function<Connection, CallerAnswer> how) {
    answers = how;
  }

  /** From now on it answers questions about any job's usage so. */
  void used(UsageRecord... records) {
    usage = List.of(records);
  }

  void holds(List<JobProcess> members) {
    processes = members;
  }

  /** From now on it tells of these in no job. */
  void escaped(OutsideProcess... those) {
    outsideProcesses = List.of(those);
  }

  void predict(IntFunction<PredictResponse> how) {
    prediction = how;
  }

  /**
   * Answers that processes are in no job, but for {@link #NEW_PID}, which is in step 0 of job 7.
   */
  void answerMemberships() {
    answerMemberships(pid ->
        pid == NEW_PID
            ? new ProcessAnswer.InJob(
                process(NEW_PID).process(),
                new JobStep(new JobId(7), StepId.of(0)),
                1000,
                NOW,
                false)
            : new ProcessAnswer.InNoJob(NOW));
  }

  void answerMemberships(IntFunction<ProcessAnswer> how) {
    membership = how;
  }

  /** From now on it leaves the first answer about processes out. */
  void leavesAnswersOut() {
    fewer = true;
  }

  /** From now on its lists of a job's processes have so many without a pid. */
  void addsEmptyProcesses(int count) {
    empty = count;
  }

  /** Ends the stream without a word. */
  void vanish() {
    ClientCallStreamObserver<ConnectRequest> open = stream;
    if (open != null) {
      open.cancel("gone", null);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ConnectRequest> started) {
    stream = started;
  }

  @Override
  public void onNext(ConnectResponse order) {
    if (order.hasWelcome()) {
      refused = NodeMapper.toModel(order.getWelcome().getRefusedAddresses());
    } else if (order.hasRefusedAddresses()) {
      refused = NodeMapper.toModel(order.getRefusedAddresses());
      return;
    }
    Function<Connection, CallerAnswer> how = answers;
    IntFunction<PredictResponse> foretold = prediction;
    IntFunction<ProcessAnswer> known = membership;
    if (order.hasQuestion() && how != null) {
      var question = order.getQuestion();
      answeredAClient = question.getForClient();
      say(
          ConnectRequest.newBuilder()
              .setAnswer(
                  Answer.newBuilder()
                      .setQuestionId(question.getQuestionId())
                      .setAnswer(
                          CallerMapper.toProto(
                              how.apply(
                                  CallerMapper.toModel(question.getConnection(), "question")))))
              .build());
    } else if (order.hasPredictionQuestion() && foretold != null) {
      say(
          ConnectRequest.newBuilder()
              .setPredictionAnswer(
                  PredictionAnswer.newBuilder()
                      .setQuestionId(order.getPredictionQuestion().getQuestionId())
                      .setPrediction(foretold.apply(order.getPredictionQuestion().getUid())))
              .build());
    } else if (order.hasMembershipQuestion() && known != null) {
      var question = order.getMembershipQuestion();
      var answer = MembershipAnswer.newBuilder().setQuestionId(question.getQuestionId());
      question.getProcessesList().stream()
          .skip(fewer ? 1 : 0)
          .forEach(process ->
              answer.addAnswers(ProcessMapper.toProto(known.apply(process.getPid()), NOW)));
      say(ConnectRequest.newBuilder().setMembershipAnswer(answer).build());
    } else if (order.hasProcessesQuestion() && !processes.isEmpty()) {
      var answer =
          ProcessesAnswer.newBuilder()
              .setQuestionId(order.getProcessesQuestion().getQuestionId())
              .setObservedAt(CallerMapper.timestamp(NOW));
      processes.forEach(member -> answer.addProcesses(JobMapper.listedOnNode(member)));
      for (int i = 0; i < empty; i++) {
        answer.addProcesses(ListedJobProcess.getDefaultInstance());
      }
      say(ConnectRequest.newBuilder().setProcessesAnswer(answer).build());
    } else if (order.hasUsageQuestion() && !usage.isEmpty()) {
      var answer =
          UsageAnswer.newBuilder()
              .setQuestionId(order.getUsageQuestion().getQuestionId())
              .addAllRecords(
                  order.getUsageQuestion().getLastHour()
                      ? usage
                      : usage.stream().map(it -> it.toBuilder().clearLastHour().build()).toList());
      say(ConnectRequest.newBuilder().setUsageAnswer(answer).build());
    } else if (order.hasOutsideProcessesQuestion()) {
      outsideProcessesAsked.add(order.getOutsideProcessesQuestion());
      List<OutsideProcess> those = outsideProcesses;
      if (those != null) {
        var told =
            NodeOutsideProcesses.newBuilder()
                .setNode("what a node says here counts for nothing")
                .setObservedAt(CallerMapper.timestamp(NOW))
                .addAllOutsideProcesses(those);
        say(
            ConnectRequest.newBuilder()
                .setOutsideProcessesAnswer(
                    OutsideProcessesAnswer.newBuilder()
                        .setQuestionId(order.getOutsideProcessesQuestion().getQuestionId())
                        .setOutsideProcesses(told))
                .build());
      }
    } else if (order.hasClusterPrefixes()) {
      prefixes.add(order.getClusterPrefixes());
    } else {
      orders.add(order);
    }
  }

  @Override
  public void onError(Throwable cause) {
    end.complete(Status.fromThrowable(cause));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }

  String node() {
    return node.text();
  }

  /** Which of its addresses do not count, as the gateway sent it last. */
  RefusedAddresses refused() {
    return refused;
  }

  ConnectResponse next() throws InterruptedException {
    ConnectResponse order = orders.poll(60, TimeUnit.SECONDS);
    if (order == null) {
      throw new AssertionError("node " + node + " got no order within 60 s; end: " + end);
    }
    return order;
  }

  boolean hasEnded() {
    return end.isDone();
  }

  /** Whether the gateway's first message came, and is the welcome. */
  boolean isWelcome() {
    ConnectResponse first = orders.peek();
    return first != null && first.hasWelcome();
  }

  Status end() {
    return end.orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** A call of alice's job 42 on this node. */
  Call call(String from, String to) {
    return call(from, to, 1000);
  }

  Call call(String from, String to, int uid) {
    return call(from, to, uid, 42);
  }

  /** A call of a user's job on this node. */
  Call call(String from, String to, int uid, long job) {
    return new Call(
        Connection.tcp(Endpoint.parse(from), Endpoint.parse(to)),
        new Caller(
            CLUSTER,
            node,
            new Membership.InJob(new JobStep(new JobId(job), StepId.EXTERN)),
            uid,
            new ProcessRef(4242, 99),
            NOW));
  }

  /** As a node with two users has them. */
  private static String userName(int uid) {
    return Map.of(1000, "bob", 1001, "carol").getOrDefault(uid, "");
  }

  static Job job(long id, int uid) {
    return new Job(new JobId(id), uid, uid, NOW, JobState.OPEN);
  }

  static OutsideProcess outsideProcess(int pid, int uid) {
    return OutsideProcess.newBuilder()
        .setProcess(CallerMapper.toProto(new ProcessRef(pid, 7L * pid)))
        .setUid(uid)
        .setCommand("sleep")
        .setStartedAt(CallerMapper.timestamp(NOW))
        .setOrigin(OutsideOrigin.OUTSIDE_ORIGIN_CRON)
        .setPlan(OutsidePlan.OUTSIDE_PLAN_NOTHING)
        .build();
  }

  static JobProcess process(int pid) {
    return new JobProcess(new ProcessRef(pid, 7L * pid), StepId.of(0), "");
  }
}
