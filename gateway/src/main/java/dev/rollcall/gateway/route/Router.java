package dev.rollcall.gateway.route;

import dev.rollcall.gateway.stream.AttendedNode;
import dev.rollcall.gateway.stream.AttendedNodes;
import dev.rollcall.model.Connection;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.AttendResponse;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.EscapeesAnswer;
import dev.rollcall.proto.roll.v1.EscapeesQuestion;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.PredictionAnswer;
import dev.rollcall.proto.roll.v1.PredictionQuestion;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.ProcessesQuestion;
import dev.rollcall.proto.roll.v1.Question;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.wire.Words;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Sends orders to nodes, and knows who was asked what. Nothing here blocks. */
public final class Router {
  private final Roll roll;
  private final AttendedNodes nodes;
  private final RouteMeters meters;
  private final Post post;
  private final CallsWatched watched;
  private final AdoptionsKnown adoptions;
  private final AtomicLong lastQuestion = new AtomicLong();
  private final Asked<CallerAnswer> callers = new Asked<>(lastQuestion);
  private final Asked<ProcessesAnswer> processes = new Asked<>(lastQuestion);
  private final Asked<EscapeesAnswer> escapees = new Asked<>(lastQuestion);
  private final Asked<PredictionAnswer> predictions = new Asked<>(lastQuestion);

  public Router(Roll roll, GatewayMail mail, AttendedNodes nodes, MeterRegistry registry) {
    this.roll = roll;
    this.nodes = nodes;
    this.meters = new RouteMeters(registry);
    this.post = new Post(mail, meters);
    this.watched = new CallsWatched(post);
    this.adoptions = new AdoptionsKnown(post, meters);
  }

  public CallsWatched watched() {
    return watched;
  }

  public AdoptionsKnown adoptions() {
    return adoptions;
  }

  /** Every second. */
  public void tick() {
    watched.tick();
    adoptions.tick();
  }

  /** A node of this gateway has announced a call: tells the node that owns the far address. */
  public void announced(InetAddress far, Announcement call) {
    watched.made(call);
    tellOwner(far, AttendResponse.newBuilder().setAnnouncement(call).build());
  }

  /** A node of this gateway takes an announcement back: tells whoever was told. */
  public void withdrawn(InetAddress far, Withdrawal call) {
    tellOwner(far, AttendResponse.newBuilder().setWithdrawal(call).build());
  }

  private void tellOwner(InetAddress far, AttendResponse order) {
    if (!(owner(far) instanceof Owner.OneNode(NodeName node, String gateway))) {
      meters.announcedToNobody.increment();
      return;
    }
    Optional<AttendedNode> here = nodes.find(node);
    if (here.isPresent()) {
      meters.announcedHere.increment();
      here.get().orders().send(order);
    } else if (!post.isSelf(gateway)) {
      meters.announcedElsewhere.increment();
      post.send(gateway, Post.order(node, order));
    } else {
      meters.announcedToNobody.increment();
    }
  }

  /** While the grid cannot tell, an address is nobody's: the far node asks when it needs to. */
  private Owner owner(InetAddress address) {
    try {
      return roll.ownerOf(address);
    } catch (RollUnavailableException e) {
      return new Owner.Nobody();
    }
  }

  /** A node's announcements have a gap: every attending node is told. */
  public void lost(CallsLost lost) {
    lostHere(lost);
    post.sendToOthers(Letter.newBuilder().setCallsLost(lost).build());
  }

  void lostHere(CallsLost lost) {
    AttendResponse order = AttendResponse.newBuilder().setCallsLost(lost).build();
    nodes.all().forEach(node -> node.orders().send(order));
  }

  /**
   * Asks a node who made a call that has one of its addresses as its near end.
   *
   * @param traceparent of the span that asks; may be empty
   */
  CompletableFuture<Heard<CallerAnswer>> askCaller(
      Owner.OneNode owner, Connection call, Duration patience, String traceparent) {
    meters.nodesAsked.increment();
    return ask(callers, owner, patience, id -> question(id, call, patience, traceparent));
  }

  /** Asks a node which processes a job has on it. */
  public CompletableFuture<Heard<ProcessesAnswer>> askProcesses(
      Owner.OneNode owner, JobId job, Duration patience) {
    return ask(
        processes,
        owner,
        patience,
        id ->
            AttendResponse.newBuilder()
                .setProcessesQuestion(
                    ProcessesQuestion.newBuilder().setQuestionId(id).setJobId(job.number()))
                .build());
  }

  /** Asks a node which processes of users, or of one, are in no job there. */
  public CompletableFuture<Heard<EscapeesAnswer>> askEscapees(
      Owner.OneNode owner, Optional<Integer> uid, Duration patience) {
    return ask(
        escapees,
        owner,
        patience,
        id -> {
          var question = EscapeesQuestion.newBuilder().setQuestionId(id);
          uid.ifPresent(question::setUid);
          return AttendResponse.newBuilder().setEscapeesQuestion(question).build();
        });
  }

  /** Asks a node what would become of a user who came there. */
  public CompletableFuture<Heard<PredictionAnswer>> askPrediction(
      Owner.OneNode owner, int uid, Duration patience) {
    return ask(
        predictions,
        owner,
        patience,
        id ->
            AttendResponse.newBuilder()
                .setPredictionQuestion(
                    PredictionQuestion.newBuilder().setQuestionId(id).setUid(uid))
                .build());
  }

  private static AttendResponse question(
      long id, Connection call, Duration patience, String traceparent) {
    return AttendResponse.newBuilder()
        .setQuestion(
            Question.newBuilder()
                .setQuestionId(id)
                .setConnection(Words.toProto(call))
                .setPatience(Words.duration(patience))
                .setTraceparent(traceparent))
        .build();
  }

  private <T> CompletableFuture<Heard<T>> ask(
      Asked<T> asked, Owner.OneNode owner, Duration patience, LongFunction<AttendResponse> order) {
    NodeName node = owner.node();
    return asked.ask(
        node,
        patience,
        id -> {
          Optional<AttendedNode> here = nodes.find(node);
          if (here.isPresent()) {
            here.get().orders().send(order.apply(id));
          } else if (post.isSelf(owner.gateway())) {
            asked.silent(id, "node " + node + " does not attend any more");
          } else {
            post.send(
                owner.gateway(),
                Post.order(node, order.apply(id)),
                reason -> asked.silent(id, "node " + node + " is not reached: " + reason));
          }
        });
  }

  /** A node of this gateway has answered. */
  public void answered(NodeName by, Answer answer) {
    callers.answered(by, answer.getQuestionId(), answer.getAnswer());
  }

  /** A node of this gateway has answered. */
  public void answered(NodeName by, ProcessesAnswer answer) {
    processes.answered(by, answer.getQuestionId(), answer);
  }

  /** A node of this gateway has answered. */
  public void answered(NodeName by, EscapeesAnswer answer) {
    escapees.answered(by, answer.getQuestionId(), answer);
  }

  public void answered(NodeName by, PredictionAnswer answer) {
    predictions.answered(by, answer.getQuestionId(), answer);
  }

  /** Another gateway says what became of a question to one of its nodes. */
  void answered(NodeAnswer answer) {
    switch (answer.getAnswerCase()) {
      case CALLER ->
          callers.answered(answer.getCaller().getQuestionId(), answer.getCaller().getAnswer());
      case PROCESSES ->
          processes.answered(answer.getProcesses().getQuestionId(), answer.getProcesses());
      case ESCAPEES ->
          escapees.answered(answer.getEscapees().getQuestionId(), answer.getEscapees());
      case PREDICTION ->
          predictions.answered(answer.getPrediction().getQuestionId(), answer.getPrediction());
      case NOT_ANSWERED -> {
        long id = answer.getNotAnswered().getQuestionId();
        callers.silent(id, answer.getNotAnswered().getReason());
        processes.silent(id, answer.getNotAnswered().getReason());
        escapees.silent(id, answer.getNotAnswered().getReason());
        predictions.silent(id, answer.getNotAnswered().getReason());
      }
      case ANSWER_NOT_SET -> {}
    }
  }

  /** A node's stream has ended. */
  public void gone(NodeName node) {
    String reason = "node " + node + ": its stream to the gateway ended";
    callers.gone(node, reason);
    processes.gone(node, reason);
    escapees.gone(node, reason);
    predictions.gone(node, reason);
  }

  AttendedNodes nodes() {
    return nodes;
  }

  Post post() {
    return post;
  }

  RouteMeters meters() {
    return meters;
  }
}
