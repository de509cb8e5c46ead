package dev.rollcall.agent.gateway;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.LostSource;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Call;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Welcome;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.pace.SharedTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keeps a stream to one gateway of the list, and goes to another when it ends. */
public final class GatewayVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(GatewayVerticle.class.getName());
  private static final Duration WELCOME_WITHIN = Duration.ofSeconds(5);
  private static final Duration LEAST_HEARTBEAT = Duration.ofSeconds(1);
  private static final Duration LONGEST_HEARTBEAT = Duration.ofDays(1);
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final int NO_SERVICE = 1; // tcpmux
  private static final long BETWEEN_WARNINGS_NANOS = Duration.ofMinutes(1).toNanos();

  /** A stream is not given up earlier for other addresses: one may come and go. */
  static final Duration LEAST_STREAM = Duration.ofSeconds(10);

  private final Bus bus;
  private final SharedTimer sharedTimer;
  private final NodeSelf self;
  private final List<GatewayTarget> gateways;
  private final RollQuestions questions;
  private final Promise<Empty> warm = Promise.promise();
  private final GatewayOrders orders;
  private final JobReporter telling;
  private final GatewayConnectionMeters meters;
  private final RandomGenerator random = RandomGenerator.getDefault();
  private final Announcements announcements;
  private final AdoptionReporter adoptions;
  private final AddressRefusals refusals;

  private @Nullable GatewayStream stream;

  /** The stream that is to say, when it keeps up again, that calls are lost. */
  private @Nullable GatewayStream behind;

  private Set<InetAddress> addresses = Set.of();
  private long openedAt;
  private GatewayState state = new GatewayState.Absent("no gateway has answered yet");
  private String warnedOf = "";
  private long warnedNanos = System.nanoTime() - BETWEEN_WARNINGS_NANOS;
  private int turn;
  private int failures;
  private long timeout = -1;
  private Runnable endHeartbeats = () -> {};
  private boolean wantsWarmUp;
  private boolean triedWarmUp;
  private boolean welcomedBefore;
  private boolean stopped;

  /**
   * @param sharedTimer what heartbeats go with
   * @param gateways at least one
   * @param readers where jobs' processes are read; one thread keeps them in order
   */
  public GatewayVerticle(
      Vertx vertx,
      Bus bus,
      SharedTimer sharedTimer,
      NodeSelf self,
      List<GatewayTarget> gateways,
      Jobs jobs,
      WorkerExecutor readers,
      MeterRegistry registry) {
    this.bus = bus;
    this.sharedTimer = sharedTimer;
    this.self = self;
    this.gateways = List.copyOf(gateways);
    NodeName node = self.epoch().node();
    meters = new GatewayConnectionMeters(registry, this.gateways);
    questions = new RollQuestions(vertx, meters.questions);
    orders =
        new GatewayOrders(
            bus,
            node,
            jobs,
            new JobFactsTaken(jobs, readers, meters),
            new QuestionReader(readers),
            questions,
            meters);
    var facts = new JobFactRequests(vertx, jobs, JobFactRequests.EVERY, meters);
    telling = new JobReporter(vertx, jobs, readers, self, meters, facts);
    announcements = new Announcements(self.epoch());
    adoptions = new AdoptionReporter(node, this::offer, meters);
    refusals = new AddressRefusals(bus, meters);
  }

  @Override
  public Future<?> start() {
    bus.hear(Topics.CALL_MADE, this::announce);
    bus.hear(Topics.CALL_WITHDRAWN, this::withdraw);
    bus.hear(Topics.CALLS_LOST, this::lost);
    bus.hear(Topics.JOB_CHANGED, job -> telling.prompt(job.id()));
    bus.hear(Topics.STEP_BEGUN, telling::prompt);
    bus.hear(
        Topics.ADOPTION_RECORDED,
        adoption -> {
          adoption.job().ifPresent(step -> telling.prompt(step.job()));
          adoptions.tell(adoption);
        });
    bus.answer(Queries.CALLER_IN_ROLL, this::ask);
    bus.answer(
        Queries.WARMED_UP,
        _ -> {
          wantsWarmUp = true;
          warmUp();
          return warm.future();
        });
    bus.answer(Queries.GATEWAY_STATE, _ -> Future.succeededFuture(state));
    self.addresses().listen(() -> context.runOnContext(_ -> closeIfAddressesChanged()));
    turn = random.nextInt(gateways.size());
    connect();
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    vertx.cancelTimer(timeout);
    GatewayStream open = stream;
    if (open != null) {
      open.close("the agent stops");
    }
    return Future.succeededFuture();
  }

  /** The stream, if the gateway has welcomed the node. */
  private @Nullable GatewayStream standing() {
    return state instanceof GatewayState.Connected ? stream : null;
  }

  private Future<CallerAnswer> ask(RollQuestion question) {
    GatewayStream open = standing();
    if (open != null) {
      open.gateway().needed().run();
    }
    String why = state instanceof GatewayState.Absent(String said) ? said : "";
    return open != null || mayConnectSoon()
        ? questions.ask(Optional.ofNullable(open), why, question)
        : Future.succeededFuture(new CallerAnswer.Unreachable(why));
  }

  /** Whether a gateway of the list was not tried since the last stream ended. */
  private boolean mayConnectSoon() {
    return failures <= gateways.size() && !stopped;
  }

  private void connect() {
    GatewayTarget gateway = gateways.get(turn % gateways.size());
    var opened = new GatewayStream(gateway, context, this::ordered, why -> ended(gateway, why));
    stream = opened;
    timeout =
        vertx.setTimer(
            WELCOME_WITHIN.toMillis(),
            _ -> opened.close("no welcome within " + WELCOME_WITHIN.toSeconds() + " s"));
    addresses = self.addresses().read();
    openedAt = System.nanoTime();
    opened.open(EventMessages.hello(self, addresses));
  }

  private void ordered(ConnectResponse order) {
    GatewayStream open = stream;
    if (open == null) {
      return;
    }
    if (order.hasRefusedAddresses()) {
      refusals.take(order.getRefusedAddresses(), open.gateway());
    } else if (!order.hasWelcome()) {
      orders.carryOut(order, open);
    } else if (standing() == null) {
      try {
        welcomed(open, order.getWelcome(), heartbeat(order.getWelcome()));
        orders.carryOut(order, open);
      } catch (BadWordException e) {
        open.close("its welcome is not valid: " + e.getMessage());
      }
    } else {
      open.close("it sent a second welcome");
    }
  }

  private static Duration heartbeat(Welcome welcome) {
    Duration every = CallerMapper.duration(welcome.getHeartbeat(), "welcome.heartbeat");
    Duration atLeast = every.compareTo(LEAST_HEARTBEAT) < 0 ? LEAST_HEARTBEAT : every;
    return atLeast.compareTo(LONGEST_HEARTBEAT) > 0 ? LONGEST_HEARTBEAT : atLeast;
  }

  private void welcomed(GatewayStream open, Welcome welcome, Duration heartbeat) {
    failures = 0;
    meters.streams.increment();
    meters.connected.set(1);
    vertx.cancelTimer(timeout);
    GatewayTarget gateway = open.gateway();
    sendHeartbeats(open, heartbeat);
    String as = welcome.getLoginNode() ? " as a login node" : "";
    become(
        new GatewayState.Connected(gateway.name(), gateway.channel()),
        new StageHealth("gateway", false, true, "connected to gateway " + gateway.name() + as));
    if (welcomedBefore) {
      bus.tell(Topics.SOURCE_LOST, LostSource.ALL); // what was said meanwhile was not heard here
    }
    welcomedBefore = true;
    refusals.take(welcome.getRefusedAddresses(), open.gateway());
    questions.connected(open);
    warmUp();
    telling.begin(open);
    adoptions.tellWaiting();
  }

  /**
   * Asks a gateway once about a call that nobody made, at an address of this node. The gateway asks
   * this node in turn, so that both have done what the first login of another node needs.
   */
  private void warmUp() {
    GatewayStream open = standing();
    if (wantsWarmUp && !triedWarmUp && open != null) {
      triedWarmUp = true;
      refusals
          .firstAccepted(addresses)
          .map(address -> new Endpoint(address, NO_SERVICE))
          .map(end -> new RollQuestion(Connection.tcp(end, end), Duration.ZERO, WARM_UP))
          .map(question -> questions.ask(Optional.of(open), "", question))
          .ifPresentOrElse(
              asked -> asked.onComplete(_ -> warm.tryComplete(new Empty())),
              () -> warm.tryComplete(new Empty()));
    }
  }

  /**
   * With the answer to a ping a heartbeat costs no wake-up of its own. The timer sends it if the
   * gateway sends no pings, or too few.
   */
  private void sendHeartbeats(GatewayStream open, Duration every) {
    var pace = new HeartbeatPace(every, System::nanoTime);
    Runnable endTimer =
        sharedTimer.repeat(every.dividedBy(2), () -> heartbeat(open, pace.takesTimer()));
    open.gateway().whenPinged().accept(() -> heartbeat(open, pace.takesPing()));
    endHeartbeats =
        () -> {
          endTimer.run();
          open.gateway().whenPinged().accept(() -> {});
        };
  }

  private void heartbeat(GatewayStream open, boolean isDue) {
    if (isDue) {
      open.send(EventMessages.HEARTBEAT);
      adoptions.tellWaiting();
      closeIfAddressesChanged();
    }
  }

  /** The gateway trusts the node about the addresses that it sent when it connected. */
  private void closeIfAddressesChanged() {
    GatewayStream open = standing();
    boolean mayClose = System.nanoTime() - openedAt >= LEAST_STREAM.toNanos();
    if (open != null && mayClose && !self.addresses().last().equals(addresses)) {
      open.close("the node's addresses changed, so it connects again");
    }
  }

  /**
   * Reports that what was announced may not be trusted. Without a stream there is nothing to
   * report: each new stream makes gateways and nodes forget what was announced before it.
   */
  private void lost(long lost) {
    GatewayStream open = standing();
    if (open != null) {
      open.send(EventMessages.callsLost(self, lost));
    }
  }

  private void ended(GatewayTarget gateway, String why) {
    vertx.cancelTimer(timeout);
    endHeartbeats.run();
    stream = null;
    meters.connected.set(0);
    telling.end();
    String said = "gateway " + gateway.name() + " is unreachable: " + why;
    become(new GatewayState.Absent(said), new StageHealth("gateway", false, false, said));
    if (!stopped) {
      turn++;
      failures++;
      long pause = ReconnectPause.before(failures, gateways.size(), random).toMillis();
      timeout = vertx.setTimer(pause, _ -> connect());
    }
    if (mayConnectSoon()) {
      questions.disconnected(said);
    } else {
      warm.tryComplete(new Empty()); // there is nothing to ask now
      questions.failAll(said);
    }
  }

  private void become(GatewayState next, StageHealth health) {
    boolean isNew = !next.equals(state);
    state = next;
    if (next instanceof GatewayState.Connected) {
      LOG.log(INFO, health.detail());
      warnedOf = "";
    } else if (!stopped) {
      warn(health.detail());
    }
    if (isNew) {
      bus.tell(Topics.HEALTH_CHANGED, health);
    }
  }

  /** Logs a reason that is not the last one that was logged, at most once a minute. */
  private void warn(String reason) {
    long now = System.nanoTime();
    if (!reason.equals(warnedOf) && now - warnedNanos >= BETWEEN_WARNINGS_NANOS) {
      warnedOf = reason;
      warnedNanos = now;
      LOG.log(WARNING, reason);
    }
  }

  private void announce(Call call) {
    boolean sent = offer(announcements.announcement(call));
    (sent ? meters.announced : meters.withheld).increment();
    if (!sent) {
      notAnnounced();
    }
  }

  /**
   * Says that a call is lost as soon as the stream keeps up again: an earlier call may have had the
   * same ends, and its caller would be taken for this one's.
   */
  private void notAnnounced() {
    GatewayStream open = standing();
    if (open != null && open != behind) {
      behind = open;
      open.ready().onSuccess(_ -> caughtUp(open));
    }
  }

  private void caughtUp(GatewayStream open) {
    behind = null;
    open.send(EventMessages.callsLost(self, 1));
  }

  /**
   * Sends if there is a stream, also one that does not keep up: there are no more withdrawals than
   * announcements. Without a stream it is needless, as in {@link #lost}.
   */
  private void withdraw(Connection call) {
    ConnectRequest withdrawal = announcements.withdrawal(call);
    GatewayStream open = standing();
    if (open == null) {
      meters.notWithdrawn.increment();
    } else {
      open.gateway().needed().run();
      open.send(withdrawal);
      meters.withdrawn.increment();
    }
  }

  /** Sends if there is a stream that keeps up; says whether it did. */
  private boolean offer(ConnectRequest event) {
    GatewayStream open = standing();
    boolean sends = open != null && open.keepsUp();
    if (open != null && sends) {
      open.gateway().needed().run();
      open.send(event);
    }
    return sends;
  }
}
