package dev.rollcall.gateway.node;

import dev.rollcall.gateway.limit.StreamThrottle;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.JobGone;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.PeerMessage;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes on the updates of a connected node: to the roll in their order, and to other nodes at
 * once. Runs on the stream's executor.
 */
final class NodeUpdates {
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(2);

  /** Half of what waits at the node that is asked: other nodes' questions have the rest. */
  private static final int MOST_QUESTIONS = 128;

  /** To enter so many of a job takes as long as another event. */
  static final int PROCESSES_OF_AN_EVENT = 256;

  private final NodeStreamParts parts;
  private final NodeStreamMeters meters;
  private final ConnectedNode node;
  private final Set<InetAddress> listed;
  private final Roll roll;
  private final SerialExecutor rollTasks;
  private final Router router;
  private final JobsEntered jobs;
  private final CallsEntered calls;
  private final AtomicInteger questions = new AtomicInteger();

  /**
   * @param listed the node's addresses, of its certificate or the site's file
   * @param kept counts the calls of nodes
   * @param pace is charged for processes that a job got before the roll took it
   */
  NodeUpdates(
      NodeStreamParts parts,
      NodeStreamMeters meters,
      ConnectedNode node,
      Set<InetAddress> listed,
      SerialExecutor rollTasks,
      CallsKept kept,
      StreamThrottle pace) {
    this.parts = parts;
    this.meters = meters;
    this.node = node;
    this.listed = listed;
    this.roll = parts.roll();
    this.rollTasks = rollTasks;
    this.router = parts.router();
    this.calls =
        new CallsEntered(
            node.registration(),
            roll,
            rollTasks,
            kept,
            parts.settings().keepCalls(),
            meters.callsCut);
    this.jobs =
        new JobsEntered(
            node.registration(),
            roll,
            rollTasks,
            meters,
            processes -> pace.charge(processes / PROCESSES_OF_AN_EVENT));
  }

  /**
   * Takes one event.
   *
   * @param done runs when the roll has taken it
   * @return as how many more events it counts: the roll takes all processes of a job for a change
   */
  int take(ConnectRequest event, Runnable done) {
    Roll.Registration registration = node.registration();
    int work = 0;
    switch (event.getEventCase()) {
      case JOB -> {
        calls.inOrder();
        work = jobs.told(event.getJob(), done) / PROCESSES_OF_AN_EVENT;
      }
      case JOB_GONE -> gone(event.getJobGone(), done);
      case STATE_COMPLETE -> then(() -> roll.complete(registration), done);
      case ANNOUNCEMENT -> announced(event.getAnnouncement(), done);
      case WITHDRAWAL -> withdrawn(event.getWithdrawal(), done);
      case CALLS_LOST -> {
        router.lost(node.name());
        then(() -> roll.strikeCalls(registration), done);
      }
      case QUESTION -> {
        asked(event.getQuestion());
        done.run();
      }
      case JOBS_QUESTION -> {
        parts.batch().asked(node, event.getJobsQuestion());
        done.run();
      }
      case ANSWER,
          PROCESSES_ANSWER,
          OUTSIDE_PROCESSES_ANSWER,
          PREDICTION_ANSWER,
          MEMBERSHIP_ANSWER,
          USAGE_ANSWER -> {
        PeerMessage.check(event, "event");
        answered(event);
        done.run();
      }
      case ADOPTION -> {
        router.adoptions().made(EventBounds.adoption(event.getAdoption(), name()));
        done.run();
      }
      // A later version's event: nothing is known of it.
      case HELLO, HEARTBEAT, EVENT_NOT_SET -> done.run();
    }
    return work;
  }

  private void answered(ConnectRequest event) {
    var answer = NodeAnswer.newBuilder();
    switch (event.getEventCase()) {
      case ANSWER -> answer.setCaller(event.getAnswer());
      case PROCESSES_ANSWER -> answer.setProcesses(event.getProcessesAnswer());
      case OUTSIDE_PROCESSES_ANSWER ->
          answer.setOutsideProcesses(event.getOutsideProcessesAnswer());
      case PREDICTION_ANSWER -> answer.setPrediction(event.getPredictionAnswer());
      case MEMBERSHIP_ANSWER -> answer.setMembership(event.getMembershipAnswer());
      case USAGE_ANSWER -> answer.setUsage(event.getUsageAnswer());
      default -> throw new IllegalStateException(event.getEventCase() + " is not an answer");
    }
    router.answered(node.name(), answer.build());
  }

  private String name() {
    return node.name().text();
  }

  private void then(Runnable statement, Runnable done) {
    calls.inOrder();
    jobs.inOrder();
    rollTasks.add(() -> {
      statement.run();
      done.run();
    });
  }

  private void gone(JobGone message, Runnable done) {
    var job = CallerMapper.jobId(message.getJobId(), "job_gone.job_id");
    jobs.gone(job);
    then(() -> roll.strikeJob(node.registration(), job), done);
  }

  private void announced(Announcement message, Runnable done) {
    Call call = NodeMapper.call(message);
    if (!roll.isOpen(node.registration())) {
      done.run(); // The node has made other calls since, on a later stream.
      return;
    }
    if (!isOfThisRun(message.getEpoch()) || !isOurProcess(call.caller())) {
      meters.foreign.increment();
      done.run();
      return;
    }
    if (!isOurAddress(call.connection().local().address())) {
      // Its number is used up. Without it the far node would see a gap, and forget other callers.
      meters.foreign.increment();
      withdraw(call.connection(), message.getSequence(), done);
      return;
    }
    router.announced(
        call.connection().remote().address(),
        NodeMapper.announcement(call, message.getEpoch(), message.getSequence()));
    calls.made(call, done);
  }

  private void withdrawn(Withdrawal message, Runnable done) {
    Connection call = NodeMapper.connection(message);
    if (!message.getNode().equals(name()) || !isOfThisRun(message.getEpoch())) {
      meters.foreign.increment();
      done.run();
      return;
    }
    withdraw(call, message.getSequence(), done);
  }

  /** From any address: the far node and the roll forget only what this node reported. */
  private void withdraw(Connection call, long sequence, Runnable done) {
    Roll.Registration registration = node.registration();
    router.withdrawn(
        call.remote().address(),
        NodeMapper.withdrawal(node.name(), call, registration.epoch().number(), sequence));
    then(() -> roll.strikeCall(registration, call), done);
  }

  private boolean isOfThisRun(long epoch) {
    return epoch == node.registration().epoch().number();
  }

  private boolean isOurProcess(Caller caller) {
    return caller.node().equals(node.name()) && caller.cluster().equals(parts.settings().cluster());
  }

  /** An address that another node claims, too, is neither's. */
  private boolean isOurAddress(InetAddress local) {
    return router.ownerOf(local) instanceof Owner.OneNode(NodeName owner, _)
        && owner.equals(node.name());
  }

  /** Also about a listed address that another node claims: the answer names that node. */
  private boolean mayAskAbout(InetAddress address) {
    return listed.contains(address) || isOurAddress(address);
  }

  private void asked(Question question) {
    long id = question.getQuestionId();
    Connection call = CallerMapper.toModel(question.getConnection(), "question.connection");
    if (!mayAskAbout(call.local().address()) && !mayAskAbout(call.remote().address())) {
      meters.foreign.increment();
      answer(id, new CallerAnswer.Unknown("no end of the connection is at " + name()));
      return;
    }
    Duration asked = CallerMapper.duration(question.getPatience(), "question.patience");
    if (questions.incrementAndGet() > MOST_QUESTIONS) {
      questions.decrementAndGet();
      answer(id, new CallerAnswer.Unreachable("the gateway is busy with questions of this node"));
      return;
    }
    Duration patience = asked.compareTo(MOST_PATIENCE) < 0 ? asked : MOST_PATIENCE;
    Duration mostAge =
        question.hasMostAge()
            ? CallerMapper.duration(question.getMostAge(), "question.most_age")
            : Identifier.ANY_AGE;
    var _ =
        parts
            .identifier()
            .identify(call, Identifier.Asker.NODE, mostAge, patience)
            .exceptionally(
                cause -> new CallerAnswer.Unreachable("the gateway: " + cause.getMessage()))
            .thenAccept(answer -> {
              questions.decrementAndGet();
              answer(id, answer);
            });
  }

  private void answer(long id, CallerAnswer answer) {
    node.orders()
        .send(
            ConnectResponse.newBuilder()
                .setAnswer(
                    Answer.newBuilder().setQuestionId(id).setAnswer(CallerMapper.toProto(answer)))
                .build());
  }
}
