package dev.rollcall.agent.gateway;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.AdoptionMapper;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.JobUsage;
import dev.rollcall.agent.event.LostSource;
import dev.rollcall.agent.event.OutsideProcessMapper;
import dev.rollcall.agent.event.Prediction;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ClusterPrefixes;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.MembershipQuestion;
import dev.rollcall.proto.roll.v1.OutsideProcessesQuestion;
import dev.rollcall.proto.roll.v1.PredictionQuestion;
import dev.rollcall.proto.roll.v1.ProcessesQuestion;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.UsageQuestion;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.proto.v1.UsagePoint;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.PrefixMapper;
import dev.rollcall.wire.ProcessMapper;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Carries out what a gateway orders, once it has welcomed the node.
 *
 * @param node this one
 * @param facts takes what batch systems say of jobs
 * @param reader answers questions about processes
 */
record GatewayOrders(
    Bus bus,
    NodeName node,
    Jobs jobs,
    JobFactsTaken facts,
    QuestionReader reader,
    RollQuestions questions,
    GatewayConnectionMeters meters) {
  private static final System.Logger LOG = System.getLogger(GatewayOrders.class.getName());

  /** The client does not wait longer. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  private static final Proc PROC = new Proc(Path.of("/proc"));

  void carryOut(ConnectResponse order, GatewayStream from) {
    try {
      switch (order.getOrderCase()) {
        case ANNOUNCEMENT -> announced(order.getAnnouncement());
        case WITHDRAWAL -> withdrawn(order.getWithdrawal());
        case QUESTION -> asked(order.getQuestion(), from);
        case ANSWER -> answered(order.getAnswer());
        case CALLS_LOST -> lost(order.getCallsLost());
        case PROCESSES_QUESTION -> processesAsked(order.getProcessesQuestion(), from);
        case OUTSIDE_PROCESSES_QUESTION ->
            outsideProcessesAsked(order.getOutsideProcessesQuestion(), from);
        case PREDICTION_QUESTION -> predictionAsked(order.getPredictionQuestion(), from);
        case MEMBERSHIP_QUESTION -> membershipAsked(order.getMembershipQuestion(), from);
        case USAGE_QUESTION -> usageAsked(order.getUsageQuestion(), from);
        case JOB_FACTS -> facts.told(order.getJobFacts());
        case CLUSTER_PREFIXES -> nodesAt(order.getClusterPrefixes());
        case WELCOME -> {
          if (order.getWelcome().hasClusterPrefixes()) {
            nodesAt(order.getWelcome().getClusterPrefixes());
          }
        }
        case REFUSED_ADDRESSES, ORDER_NOT_SET -> {}
      }
    } catch (BadWordException e) {
      meters.badOrders.increment();
      LOG.log(
          WARNING,
          "gateway {0} sent an invalid {1}: {2}",
          from.gateway().name(),
          order.getOrderCase(),
          e.getMessage());
    }
  }

  private void announced(Announcement from) {
    bus.tell(
        Topics.CALL_ANNOUNCED,
        new AnnouncedCall(NodeMapper.call(from), from.getSequence(), from.getEpoch()));
  }

  private void withdrawn(Withdrawal from) {
    bus.tell(
        Topics.ANNOUNCEMENT_WITHDRAWN,
        new WithdrawnCall(
            CallerMapper.node(from.getNode(), "withdrawal.node"),
            NodeMapper.connection(from),
            from.getSequence(),
            from.getEpoch()));
  }

  private void nodesAt(ClusterPrefixes from) {
    bus.tell(Topics.CLUSTER_PREFIXES, PrefixMapper.toModel(from, "cluster_prefixes"));
  }

  private void lost(CallsLost from) {
    bus.tell(
        Topics.SOURCE_LOST,
        new LostSource(
            Optional.of(from.getNode())
                .filter(node -> !node.isEmpty())
                .map(node -> CallerMapper.node(node, "calls_lost.node")),
            Optional.of(from.getAddress())
                .filter(address -> !address.isEmpty())
                .map(address -> CallerMapper.address(address, "calls_lost.address"))));
  }

  private void answered(Answer from) {
    questions.answered(from.getQuestionId(), CallerMapper.toModel(from.getAnswer(), "answer"));
  }

  private void asked(Question question, GatewayStream from) {
    Connection call = CallerMapper.toModel(question.getConnection(), "question.connection");
    meters.answered.increment();
    answer(call, question.getForClient())
        .recover(cause ->
            Future.succeededFuture(
                new CallerAnswer.Unreachable("the node's search failed: " + cause.getMessage())))
        .onSuccess(answer -> from.send(EventMessages.answer(question.getQuestionId(), answer)));
  }

  /** Loopback and link-local calls never leave the node, and neither do answers about them. */
  private Future<CallerAnswer> answer(Connection call, boolean forClient) {
    return call.local().staysOnNode() || call.remote().staysOnNode()
        ? Future.succeededFuture(new CallerAnswer.Unknown("such a call does not leave its node"))
        : bus.ask(
            forClient ? Queries.CALLER_LOCAL_FOR_CLIENT : Queries.CALLER_LOCAL_FOR_GATEWAY,
            call,
            Bus.AT_ONCE);
  }

  private void processesAsked(ProcessesQuestion question, GatewayStream from) {
    JobId job = CallerMapper.jobId(question.getJobId(), "processes_question.job_id");
    reader.answer(
        "the processes of job " + job,
        () ->
            EventMessages.processes(
                question.getQuestionId(), jobs.processes(job), Clock.systemUTC().instant()),
        from::send);
  }

  private void usageAsked(UsageQuestion question, GatewayStream from) {
    JobId job = CallerMapper.jobId(question.getJobId(), "usage_question.job_id");
    Future<List<UsagePoint>> lastHour =
        question.getLastHour()
            ? bus.ask(Queries.LAST_HOUR, job, Bus.AT_ONCE).otherwise(List.of())
            : Future.succeededFuture(List.of());
    lastHour.onSuccess(points ->
        reader.answer(
            "the usage of job " + job,
            () -> EventMessages.usage(question, new JobUsage(jobs, node).of(job), points),
            from::send));
  }

  private void outsideProcessesAsked(OutsideProcessesQuestion question, GatewayStream from) {
    Optional<Integer> uid = question.hasUid() ? Optional.of(question.getUid()) : Optional.empty();
    bus.ask(Queries.OUTSIDE_PROCESSES_LISTED, uid, LOOK)
        .map(found -> OutsideProcessMapper.message(found, node))
        .onSuccess(
            found -> from.send(EventMessages.outsideProcesses(question.getQuestionId(), found)))
        .onFailure(cause -> LOG.log(WARNING, "the search for processes in no job failed", cause));
  }

  private void predictionAsked(PredictionQuestion question, GatewayStream from) {
    bus.ask(Queries.ADOPTION_PREDICTED, question.getUid(), Prediction.PATIENCE)
        .map(made ->
            EventMessages.prediction(question.getQuestionId(), AdoptionMapper.message(made, node)))
        .onSuccess(from::send)
        .onFailure(cause ->
            LOG.log(
                WARNING,
                "what would be decided about uid "
                    + Integer.toUnsignedString(question.getUid())
                    + " could not be predicted",
                cause));
  }

  private void membershipAsked(MembershipQuestion question, GatewayStream from) {
    List<ProcessOnNode> asked =
        question.getProcessesList().stream()
            .map(process -> ProcessMapper.toModel(process, "membership_question.processes"))
            .toList();
    Instant now = Clock.systemUTC().instant();
    reader.answer(
        "the jobs of " + asked.size() + " processes",
        () ->
            EventMessages.membership(
                question.getQuestionId(), new PidLookup(jobs, PROC).find(asked, now), now),
        from::send);
  }
}
