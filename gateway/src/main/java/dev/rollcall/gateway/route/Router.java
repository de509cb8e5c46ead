package dev.rollcall.gateway.route;

import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.gateway.stream.ConnectedNodes;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.Withdrawal;
import dev.rollcall.wire.CallerMapper;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Sends orders to nodes, and matches replies to questions. Nothing here blocks. */
public final class Router {
  private final Roll roll;
  private final ConnectedNodes nodes;
  private final RouteMeters meters;
  private final NodeAnswers answers;
  private final GatewaySender post;
  private final CallsWatched watched;
  private final AdoptionsKnown adoptions;
  private final LostCallsThrottle lostCalls = new LostCallsThrottle(this::lostAnywhere);
  private final PendingQuestions questions = new PendingQuestions();
  private Set<String> gateways = Set.of();

  public Router(Roll roll, GatewayMail mail, ConnectedNodes nodes, MeterRegistry registry) {
    this.roll = roll;
    this.nodes = nodes;
    this.meters = new RouteMeters(registry);
    this.answers = new NodeAnswers(registry);
    this.post = new GatewaySender(mail, meters);
    this.watched = new CallsWatched(post, meters);
    this.adoptions = new AdoptionsKnown(post, meters);
  }

  public CallsWatched watched() {
    return watched;
  }

  public NodeAnswers answers() {
    return answers;
  }

  public AdoptionsKnown adoptions() {
    return adoptions;
  }

  /** Every second. */
  public void tick() {
    forgetDeparted();
    watched.tick();
    adoptions.tick();
    lostCalls.tick();
  }

  /** A node of this gateway has announced a call: tells the node that owns the far address. */
  public void announced(InetAddress far, Announcement call) {
    watched.made(call);
    tellOwner(far, ConnectResponse.newBuilder().setAnnouncement(call).build());
  }

  /** Passes on that a node of this gateway withdraws a pushed caller. */
  public void withdrawn(InetAddress far, Withdrawal call) {
    tellOwner(far, ConnectResponse.newBuilder().setWithdrawal(call).build());
  }

  private void tellOwner(InetAddress far, ConnectResponse order) {
    if (!(ownerOf(far) instanceof Owner.OneNode(NodeName node, String gateway))) {
      meters.announcedToNobody.increment();
      return;
    }
    Optional<ConnectedNode> here = nodes.find(node);
    if (!post.isSelf(gateway)) {
      meters.announcedElsewhere.increment();
      post.send(gateway, GatewaySender.order(node, order));
    } else if (here.isPresent()) {
      meters.announcedHere.increment();
      here.get().send(order);
    } else {
      meters.announcedToNobody.increment();
    }
  }

  /**
   * While the roll does not answer, an address has no owner: the far node asks when it needs to.
   */
  public Owner ownerOf(InetAddress address) {
    try {
      return roll.ownerOf(address);
    } catch (RollUnavailableException e) {
      return new Owner.Nobody();
    }
  }

  /**
   * A node's stream has ended or begun, or its announcements have a gap: what it reported before
   * does not count any more. The nodes to which it pushed callers get this order within about a
   * second. The others have none that could be wrong.
   */
  public void lost(NodeName node) {
    lostCalls.lost(CallsLost.newBuilder().setNode(node.text()).build());
  }

  /** An address may be another node's by now: calls from it do not count any more. */
  public void lost(NodeName node, InetAddress address) {
    lostCalls.lost(
        CallsLost.newBuilder()
            .setNode(node.text())
            .setAddress(CallerMapper.bytes(address))
            .build());
  }

  /** The streams of a gateway that has left have ended, and nobody else knows of which nodes. */
  private void forgetDeparted() {
    Set<String> now = post.gateways();
    if (!now.containsAll(gateways)) {
      nodes.all().forEach(ConnectedNode::allCallsLost);
    }
    gateways = now;
  }

  private void lostAnywhere(CallsLost lost) {
    lostHere(lost);
    post.sendToOthers(Letter.newBuilder().setCallsLost(lost).build());
  }

  void lostHere(CallsLost lost) {
    ConnectResponse order = ConnectResponse.newBuilder().setCallsLost(lost).build();
    nodes.all().stream()
        .filter(node -> node.pushing().mayHave(lost.getNode()))
        .forEach(node -> node.send(order));
  }

  /**
   * Asks a node.
   *
   * @param question of any kind; its id is chosen here
   */
  public CompletableFuture<NodeReply> ask(
      Owner.OneNode owner, ConnectResponse question, Duration patience) {
    if (question.hasQuestion()) {
      meters.nodesAsked.increment();
    }
    NodeName node = owner.node();
    return questions.ask(
        node,
        Numbered.answers(question).orElseThrow(),
        patience,
        id -> {
          ConnectResponse order = Numbered.with(id, question);
          Optional<ConnectedNode> here = nodes.find(node);
          if (!post.isSelf(owner.gateway())) {
            // Also where an earlier stream of the node is still open here.
            post.send(
                owner.gateway(),
                GatewaySender.order(node, order),
                reason -> questions.silent(id, "node " + node + " is not reachable: " + reason));
          } else if (here.isPresent()) {
            here.get().send(order);
          } else {
            questions.silent(id, "node " + node + " is no longer connected");
          }
        });
  }

  /** A node of this gateway has answered. */
  public void answered(NodeName by, NodeAnswer answer) {
    questions.answered(by, answer);
  }

  /** Another gateway says what became of a question to one of its nodes. */
  void answered(NodeAnswer answer) {
    questions.answered(answer);
  }

  public void gone(NodeName node) {
    questions.gone(node, "node " + node + ": its stream to the gateway ended");
  }

  ConnectedNodes nodes() {
    return nodes;
  }

  GatewaySender post() {
    return post;
  }

  RouteMeters meters() {
    return meters;
  }
}
