package dev.rollcall.gateway.node;

import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.identity.AuthenticationResult;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.wire.grpc.CallContext;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.pace.Buckets;
import dev.rollcall.wire.pace.Rate;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Serves RollService: the streams of the nodes that are connected to this gateway. */
public final class NodeSessions extends RollServiceGrpc.RollServiceImplBase {
  /** Of one node. An agent that loses its streams tries each gateway less often. */
  public static final Rate REGISTRATIONS = new Rate(1, 8);

  private static final Duration HELLO_WITHIN = Duration.ofSeconds(5);
  private static final int NODES_COUNTED = 16_384;
  private static final int ADDRESS_TICKS = 5;

  private final NodeStreamParts parts;
  private final HelloCheck check;
  private final NodeStreamMeters meters;
  private final CallsKept kept;
  private final NodePrefixes prefixes;
  private final Map<NodeSession, Long> open = new ConcurrentHashMap<>();
  private final Buckets<String> registrations;
  private final Set<String> registering = ConcurrentHashMap.newKeySet();
  private int ticks;

  /**
   * @param registrations of each node; {@link #REGISTRATIONS} but for tests
   */
  public NodeSessions(NodeStreamParts parts, Rate registrations) {
    this.parts = parts;
    this.registrations = new Buckets<>(registrations, NODES_COUNTED);
    NodeStreamSettings settings = parts.settings();
    this.check =
        new HelloCheck(
            settings.cluster(), settings.version(), settings.gateway(), settings.networks());
    this.kept = new CallsKept(CallsKept.MOST_OF_A_NODE, settings.keepCalls(), System::nanoTime);
    this.prefixes = new NodePrefixes(parts.roll(), System::nanoTime, parts.registry());
    this.meters = new NodeStreamMeters(parts.registry(), parts.nodes(), open.keySet());
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
    CallContext.countBytes(_ -> {}); // the session has a pace of its own
    var session =
        new NodeSession(
            this,
            AuthenticationInterceptor.current(),
            Peer.current(),
            (ServerCallStreamObserver<ConnectResponse>) responses,
            CallContext.executor());
    open.put(session, System.nanoTime());
    return session;
  }

  /** Closes streams that have sent no Hello in time; the others look for changes. Every second. */
  public void tick() {
    kept.tick();
    prefixes.tick();
    boolean looks = ++ticks % ADDRESS_TICKS == 0;
    long before = System.nanoTime() - HELLO_WITHIN.toNanos();
    open.forEach((session, since) -> {
      boolean late = since - before < 0;
      session.run(() -> {
        if (late && !session.greeted()) {
          session.close(
              Status.DEADLINE_EXCEEDED.withDescription(
                  "no HELLO within " + HELLO_WITHIN.toSeconds() + " s"));
        } else {
          session.tick(looks);
        }
      });
    });
  }

  /** Ends every stream; the nodes connect again. */
  public void closeAll(Status status) {
    open.keySet().forEach(session -> session.close(status));
  }

  /** By what the site's file and the list of gateways have now. */
  HelloCheck.Result check(Hello hello, Peer peer) {
    return switch (parts.certificates().of(peer)) {
      case AuthenticationResult.Known(Identity identity, _) -> {
        HelloCheck.Result result = check.of(hello, identity);
        yield result instanceof HelloCheck.Result.Welcome(var said, var refused)
                && peer instanceof Peer.Certified certified
            ? new HelloCheck.Result.Welcome(said.until(certified.ends()), refused)
            : result;
      }
      case AuthenticationResult.Refused(String reason) ->
          new HelloCheck.Result.Refused(Status.PERMISSION_DENIED.withDescription(reason));
    };
  }

  /**
   * Whether the roll may register this node now: not while it registers it, and not too often,
   * because parallel registrations of one node hold up the roll for all. If so, {@link #registered}
   * has to follow.
   */
  boolean mayRegister(String node) {
    if (!registering.add(node)) {
      return false;
    }
    long now = System.nanoTime();
    boolean may = registrations.of(node, now).take(now);
    if (!may) {
      registering.remove(node);
    }
    return may;
  }

  /** The roll has registered this node, or could not. */
  void registered(String node) {
    registering.remove(node);
  }

  void ended(NodeSession session) {
    open.remove(session);
    meters.ended.increment();
  }

  void left(ConnectedNode node) {
    parts.nodes().leave(node);
    parts.batch().left(node);
    if (parts.nodes().find(node.name()).isEmpty()) {
      parts.router().gone(node.name());
    }
  }

  NodeStreamParts parts() {
    return parts;
  }

  NodePrefixes prefixes() {
    return prefixes;
  }

  CallsKept kept() {
    return kept;
  }

  NodeStreamMeters meters() {
    return meters;
  }
}
