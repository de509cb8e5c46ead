package dev.rollcall.gateway.node;

import dev.rollcall.gateway.audit.GatewayAudit;
import dev.rollcall.gateway.batch.BatchQuestions;
import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.gateway.stream.ConnectedNodes;
import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.wire.grpc.CallContext;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.trace.Tracer;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Serves RollService: the streams of the nodes that are connected to this gateway. */
public final class NodeSessions extends RollServiceGrpc.RollServiceImplBase {
  private static final Duration HELLO_WITHIN = Duration.ofSeconds(5);

  private final NodeStreamSettings settings;
  private final HelloCheck check;
  private final Roll roll;
  private final Workers workers;
  private final ConnectedNodes nodes;
  private final Router router;
  private final Identifier identifier;
  private final BatchQuestions batch;
  private final GatewayAudit audit;
  private final MemoryBudget memory;
  private final NodeStreamMeters meters;
  private final Tracer tracer;
  private final NodeUserNames users;
  private final Map<NodeSession, Long> open = new ConcurrentHashMap<>();

  public NodeSessions(
      NodeStreamSettings settings,
      Roll roll,
      Workers workers,
      ConnectedNodes nodes,
      Router router,
      Identifier identifier,
      BatchQuestions batch,
      GatewayAudit audit,
      MemoryBudget memory,
      MeterRegistry registry,
      NodeUserNames users,
      Tracer tracer) {
    this.users = users;
    this.memory = memory;
    this.audit = audit;
    this.settings = settings;
    this.check = new HelloCheck(settings.cluster(), settings.version(), settings.gateway());
    this.roll = roll;
    this.workers = workers;
    this.nodes = nodes;
    this.router = router;
    this.identifier = identifier;
    this.batch = batch;
    this.meters = new NodeStreamMeters(registry, nodes);
    this.tracer = tracer;
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
    var session =
        new NodeSession(
            this,
            AuthenticationInterceptor.current(),
            (ServerCallStreamObserver<ConnectResponse>) responses,
            CallContext.executor());
    open.put(session, System.nanoTime());
    return session;
  }

  /** Closes streams that have sent no Hello in time. Called every second. */
  public void tick() {
    long before = System.nanoTime() - HELLO_WITHIN.toNanos();
    open.forEach((session, since) -> {
      if (since - before < 0) {
        session.run(() -> sendAwayIfSilent(session));
      }
    });
  }

  private static void sendAwayIfSilent(NodeSession session) {
    if (!session.greeted()) {
      session.close(
          Status.DEADLINE_EXCEEDED.withDescription(
              "no HELLO within " + HELLO_WITHIN.toSeconds() + " s"));
    }
  }

  /** Ends every stream; the nodes connect again. */
  public void closeAll(Status status) {
    open.keySet().forEach(session -> session.close(status));
  }

  HelloCheck.Result check(Hello hello, Identity peer) {
    return check.of(hello, peer);
  }

  NodeUpdates updates(ConnectedNode node, Set<InetAddress> addresses, SerialExecutor rollTasks) {
    return new NodeUpdates(
        node,
        addresses,
        settings,
        roll,
        rollTasks,
        router,
        identifier,
        batch,
        meters,
        users,
        tracer);
  }

  void ended(NodeSession session) {
    open.remove(session);
    meters.ended.increment();
  }

  void left(ConnectedNode node) {
    nodes.leave(node);
    batch.left(node);
    if (nodes.find(node.name()).isEmpty()) {
      router.gone(node.name());
    }
  }

  NodeStreamSettings settings() {
    return settings;
  }

  Roll roll() {
    return roll;
  }

  Workers workers() {
    return workers;
  }

  ConnectedNodes nodes() {
    return nodes;
  }

  MemoryBudget memory() {
    return memory;
  }

  GatewayAudit audit() {
    return audit;
  }

  NodeStreamMeters meters() {
    return meters;
  }
}
