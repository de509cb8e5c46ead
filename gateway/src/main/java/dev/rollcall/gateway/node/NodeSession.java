package dev.rollcall.gateway.node;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.limit.StreamThrottle;
import dev.rollcall.gateway.stream.ConnectedNode;
import dev.rollcall.gateway.stream.Outgoing;
import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.proto.roll.v1.ClusterPrefixes;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.Welcome;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.pace.Rate;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One stream of one node, from its first word to its end. On the stream's executor. */
final class NodeSession implements StreamObserver<ConnectRequest> {
  /** Events of a stream that the roll has not taken yet; the node waits before it tells more. */
  static final int WINDOW = 128;

  /** The shortest lease that can be set, 3 s, needs one a second; two, since some come late. */
  private static final Rate RENEWALS = new Rate(1, 2);

  private static final System.Logger LOG = System.getLogger(NodeSession.class.getName());
  private static final int ORDERS_WAITING = 2_000;

  private final NodeSessions sessions;
  private final NodeStreamParts parts;
  private final Identity peer;
  private final Peer connection;
  private final ServerCallStreamObserver<ConnectResponse> stream;
  private final Executor executor;
  private final Outgoing<ConnectResponse> orders;
  private final SerialExecutor rollTasks;
  private final StreamThrottle pace;
  private final StreamThrottle renewals;
  private String name;
  private Hello hello = Hello.getDefaultInstance();
  private boolean greeted;
  private volatile @Nullable AddressWatch addresses;
  private volatile boolean over;
  private boolean renewing;
  private volatile @Nullable Thread registering;
  private ClusterPrefixes prefixes = ClusterPrefixes.getDefaultInstance();
  private @Nullable ConnectedNode node;
  private @Nullable NodeUpdates updates;

  NodeSession(
      NodeSessions sessions,
      Identity peer,
      Peer connection,
      ServerCallStreamObserver<ConnectResponse> stream,
      Executor executor) {
    this.sessions = sessions;
    this.parts = sessions.parts();
    this.peer = peer;
    this.connection = connection;
    this.stream = stream;
    this.executor = executor;
    this.name = String.valueOf(peer);
    this.orders =
        new Outgoing<>(
            stream,
            executor,
            new Outgoing.Client(peer, "the node", ORDERS_WAITING),
            parts.memory());
    this.pace = new StreamThrottle(executor);
    this.renewals = new StreamThrottle(executor, RENEWALS);
    this.rollTasks = new SerialExecutor(parts.workers(), this::rollFailed);
    stream.setOnCancelHandler(() -> gone("cancelled or lost"));
    stream.setOnCloseHandler(() -> end("closed by the gateway"));
    stream.disableAutoRequest();
    stream.request(WINDOW);
  }

  @Override
  public void onNext(ConnectRequest event) {
    if (over) {
      return;
    }
    sessions.meters().events.increment();
    try {
      heard(event);
    } catch (BadWordException e) {
      refuse(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
    }
  }

  private void heard(ConnectRequest event) {
    EventBounds.check(event);
    if (event.hasHello()) {
      hello(event.getHello());
      stream.request(1);
    } else if (updates == null) {
      close(
          Status.INVALID_ARGUMENT.withDescription(
              greeted
                  ? event.getEventCase() + " arrived before the registration was finished"
                  : "the first event is " + event.getEventCase() + ", not HELLO"));
    } else if (event.hasHeartbeat()) {
      heartbeat();
      pace.next(() -> stream.request(1));
    } else {
      pace.charge(updates.take(event, () -> pace.next(() -> stream.request(1))));
    }
  }

  private void hello(Hello said) {
    if (greeted) {
      close(Status.INVALID_ARGUMENT.withDescription("a second HELLO on one stream"));
      return;
    }
    greeted = true;
    hello = said;
    name = "node " + HelloCheck.shownName(said);
    switch (check()) {
      case HelloCheck.Result.Refused(Status status) -> refuse(status);
      case HelloCheck.Result.Welcome welcome -> register(welcome);
    }
  }

  private HelloCheck.Result check() {
    return sessions.check(hello, connection);
  }

  private void register(HelloCheck.Result.Welcome welcome) {
    Roll.NodeDescription description = welcome.description();
    String node = description.epoch().node().text();
    if (!sessions.mayRegister(node)) {
      refuse(
          Status.RESOURCE_EXHAUSTED.withDescription(
              name + " opens too many streams: the gateway registers it once a second"));
      return;
    }
    var _ =
        parts
            .workers()
            .run(() -> {
              registering = Thread.currentThread();
              return over
                  ? new Standing.Lost()
                  : parts.roll().connect(description, parts.settings().lease());
            })
            .whenComplete((_, _) -> sessions.registered(node))
            .whenCompleteAsync(
                (standing, failure) -> connects(welcome, standing, failure), executor);
  }

  private void connects(
      HelloCheck.Result.Welcome said, @Nullable Standing standing, @Nullable Throwable failure) {
    if (over) {
      return;
    }
    switch (standing) {
      case null -> rollFailed(failure == null ? new IllegalStateException() : failure);
      case Standing.Connected(Roll.Registration registration) -> welcome(said, registration);
      case Standing.Replaced replaced -> refuse(replaced(replaced));
      case Standing.Lost() ->
          refuse(Status.UNAVAILABLE.withDescription("the roll did not accept " + name));
    }
  }

  private void welcome(HelloCheck.Result.Welcome welcome, Roll.Registration registration) {
    Roll.NodeDescription said = welcome.description();
    // What it told on earlier streams counts nowhere any more: a later call may have been lost.
    parts.router().lost(registration.node());
    var entered = new ConnectedNode(registration, orders);
    node = entered;
    updates =
        new NodeUpdates(
            parts, sessions.meters(), entered, said.addresses(), rollTasks, sessions.kept(), pace);
    prefixes = sessions.prefixes().current();
    var watch = new AddressWatch(parts, peer, welcome);
    addresses = watch;
    watch.look();
    orders.send(
        ConnectResponse.newBuilder()
            .setWelcome(
                Welcome.newBuilder()
                    .setRefusedAddresses(NodeMapper.toProto(watch.last()))
                    .setGateway(parts.settings().gateway())
                    .setLease(CallerMapper.duration(parts.settings().lease()))
                    .setHeartbeat(CallerMapper.duration(parts.settings().heartbeat()))
                    .setLoginNode(peer instanceof Identity.Node known && known.login())
                    .setClusterPrefixes(prefixes))
            .build());
    parts.nodes().enter(entered);
    sessions.meters().welcomed.increment();
    LOG.log(Level.INFO, "{0} is connected, epoch {1}", name, Long.toString(said.epoch().number()));
  }

  /**
   * Sends the node what changed of what it was sent.
   *
   * @param looks whether to look at its addresses, too
   */
  void tick(boolean looks) {
    AddressWatch watch = addresses;
    if (over || watch == null || node == null || !parts.roll().isOpen(node.registration())) {
      return;
    }
    if (!prefixes.equals(sessions.prefixes().current())) {
      prefixes = sessions.prefixes().current();
      orders.send(ConnectResponse.newBuilder().setClusterPrefixes(prefixes).build());
    }
    if (looks && watch.isOutdated(check())) {
      close(
          Status.UNAVAILABLE.withDescription(
              "the addresses that may be the node's changed, in its certificate, node_file or the"
                  + " list of gateways: connect again"));
    } else if (looks && watch.look()) {
      orders.send(
          ConnectResponse.newBuilder()
              .setRefusedAddresses(NodeMapper.toProto(watch.last()))
              .build());
    }
  }

  /** How many of its addresses another node has or claims. From any thread. */
  int contested() {
    AddressWatch watch = addresses;
    return over || watch == null ? 0 : watch.contested();
  }

  private void heartbeat() {
    if (!renewing) { // else one answer is enough for both
      renewing = true;
      renewals.next(this::renew);
    }
  }

  private void renew() {
    ConnectedNode connected = node;
    if (over || connected == null) {
      return;
    }
    var _ =
        parts
            .workers()
            .run(() -> parts.roll().renew(connected.registration(), parts.settings().lease()))
            .whenCompleteAsync((standing, failure) -> renewed(standing, failure), executor);
  }

  private void renewed(@Nullable Standing standing, @Nullable Throwable failure) {
    renewing = false;
    switch (standing) {
      case null -> {
        // The lease runs on; the next heartbeat tries again.
        sessions.meters().rollFailures.increment();
        LOG.log(Level.WARNING, "{0}: its lease was not renewed: {1}", name, failure);
      }
      case Standing.Connected _ -> {}
      case Standing.Replaced replaced -> close(replaced(replaced));
      case Standing.Lost() ->
          close(
              Status.ABORTED.withDescription(
                  "the lease of " + name + " has ended: it must connect again"));
    }
  }

  private Status replaced(Standing.Replaced by) {
    return Status.ABORTED.withDescription(
        "%s is connected to gateway %s by a later stream, of epoch %d"
            .formatted(name, by.gateway(), by.by().number()));
  }

  private void rollFailed(Throwable cause) {
    Throwable reason =
        cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
    sessions.meters().rollFailures.increment();
    if (!(reason instanceof RollUnavailableException)) {
      LOG.log(Level.ERROR, name + ": its events could not be stored", reason);
    }
    close(Status.UNAVAILABLE.withDescription("the roll is not available: " + reason.getMessage()));
  }

  private void refuse(Status status) {
    sessions.meters().refused.increment();
    parts.audit().connectRefused(peer, HelloCheck.shownName(hello), status);
    LOG.log(Level.WARNING, "{0} is refused: {1}", name, status.getDescription());
    close(status);
  }

  /** Ends the stream with a status that says why. From any thread. */
  void close(Status status) {
    orders.close(status);
    executor.execute(() -> end(String.valueOf(status.getDescription())));
  }

  /** Whether it has said who it is. */
  boolean greeted() {
    return greeted;
  }

  void run(Runnable task) {
    executor.execute(task);
  }

  @Override
  public void onError(Throwable cause) {
    gone("lost");
  }

  @Override
  public void onCompleted() {
    orders.close(Status.OK);
    gone("the node ended it");
  }

  /**
   * Ends what the node or its machine ended, and has the node come back sooner than its lease would
   * end: it is off, or it connects again.
   */
  private void gone(String why) {
    end(why, parts.settings().toComeBack());
  }

  private void end(String why) {
    end(why, parts.settings().lease());
  }

  private void end(String why, Duration lease) {
    if (over) {
      return;
    }
    over = true;
    Thread unfinished = registering;
    if (unfinished != null) {
      unfinished.interrupt();
    }
    orders.gone();
    sessions.ended(this);
    ConnectedNode left = node;
    if (left != null) {
      // Earlier updates are still written to the roll.
      sessions.left(left);
      disconnected(left, lease);
      LOG.log(Level.INFO, "{0} is no longer connected: {1}", name, why);
    }
  }

  /** Has its calls count no more, here and at the nodes. A later registration is not affected. */
  private void disconnected(ConnectedNode left, Duration lease) {
    parts.router().lost(left.name());
    var _ =
        parts
            .workers()
            .run(() -> {
              parts.roll().disconnected(left.registration(), lease);
              return true;
            })
            .whenComplete((_, failure) -> {
              if (failure != null) {
                sessions.meters().rollFailures.increment();
              }
            });
  }
}
