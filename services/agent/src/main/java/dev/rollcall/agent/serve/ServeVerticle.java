package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.ServedCall;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Call;
import dev.rollcall.model.Job;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Processes;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.wire.audit.CallOutcome;
import dev.rollcall.wire.audit.HeardCalls;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.limit.UidOwners;
import dev.rollcall.wire.local.LocalServices;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Serves the public services on a unix socket by frames: one for all users of this node, with one
 * for gRPC beside it, and one for root on an event loop of its own, so that no user can delay the
 * begin and the end of jobs.
 */
public final class ServeVerticle extends VerticleBase {
  private static final int CALLS_OF_A_USER = 32;
  private static final int CALLS_OF_ROOT = 256;

  /** For what users ask and /proc has to be read for: root's orders do not wait behind it. */
  private static final int READERS = 4;

  private final Bus bus;
  private final ServedSocket socket;
  private final LocalJobs local;
  private final Duration endGrace;
  private final WorkerExecutor workers;
  private final Predicate<InetAddress> isOwn;
  private final Processes processes;
  private final UserMoves userMoves;
  private final UidCap cap;
  private final MemoryBudget memory;
  private final Watchers<Call> calls = new Watchers<>();
  private final Watchers<Job> jobs = new Watchers<>();
  private final Watchers<Adoption> adoptions = new Watchers<>();
  private List<ServerServiceDefinition> served = List.of();
  private final List<Listening> listening = new ArrayList<>();

  /**
   * @param endGrace from SIGTERM to the kill, of ends that do not say their own
   * @param environment which of a job's variables its steps get
   * @param userMoves which processes users may move
   * @param workers where jobs begin and change as root asks: not the threads that move sessions
   * @param userName of a uid, empty if it has none
   * @param memory what users' calls hold of this process's
   */
  public ServeVerticle(
      Bus bus,
      ServedSocket socket,
      Jobs jobs,
      NodeName node,
      IntFunction<String> userName,
      Duration endGrace,
      EnvironmentAllowList environment,
      Processes processes,
      UserMoves userMoves,
      WorkerExecutor workers,
      Predicate<InetAddress> isOwn,
      MemoryBudget memory,
      MeterRegistry registry) {
    this.bus = bus;
    this.memory = memory;
    this.socket = socket;
    this.local = new LocalJobs(jobs, node, userName, environment);
    this.endGrace = endGrace;
    this.processes = processes;
    this.userMoves = userMoves;
    this.workers = workers;
    this.isOwn = isOwn;
    this.cap = new UidCap(CALLS_OF_A_USER, CALLS_OF_ROOT, UidOwners.ofHost()::of, registry);
  }

  @Override
  public Future<?> start() {
    WorkerExecutor readers = vertx.createSharedWorkerExecutor("rollcall-users", READERS);
    var usage = new UsageCalls(local, readers);
    bus.hear(Topics.CALL_MADE, calls::tell);
    bus.hear(Topics.JOB_CHANGED, jobs::tell);
    bus.hear(Topics.USAGE_RECORDED, usage::recorded);
    bus.hear(Topics.INCIDENT_RECORDED, usage::incident);
    bus.hear(Topics.ADOPTION_RECORDED, adoptions::tell);
    var upstream = new Upstream(bus);
    var lookup = new LocalProcessLookup(local, processes);
    var callerIds = new LocalCallerIdService(bus, upstream, isOwn, calls, lookup, readers);
    var jobCalls =
        new LocalJobService(
            local,
            new JobChanges(local, endGrace),
            upstream,
            new LocalJobService.Workers(workers, readers),
            jobs,
            usage,
            job -> bus.tell(Topics.STEP_BEGUN, job),
            new LongOrders(id -> local.find(id).map(Job::uid).orElse(0)));
    var sessions =
        new LocalAdoptionService(
            bus,
            local,
            upstream,
            processes,
            new Moves(local, processes, userMoves, UidOwners.ofHost()::of, System::nanoTime),
            new CallChoosing(bus, upstream, processes, readers),
            readers,
            adoptions);
    served =
        Stream.of(
                CallerIdServiceGrpc.bindService(callerIds),
                JobServiceGrpc.bindService(jobCalls),
                NodeServiceGrpc.bindService(new LocalNodeService(bus, local.node(), upstream)),
                TokenServiceGrpc.bindService(new LocalTokenService(upstream)),
                AdoptionServiceGrpc.bindService(sessions))
            .map(this::capped)
            .toList();
    var bounds = PeerBounds.ofAgent(memory);
    return new LocalServices(vertx, served, bounds)
        .listen(socket.path(), socket.mode())
        .onSuccess(listening::add)
        .compose(_ -> listenForGrpc(bounds))
        .onSuccess(_ ->
            bus.tell(
                Topics.HEALTH_CHANGED,
                new StageHealth(socket.stage(), true, true, "open at " + socket.path())));
  }

  private Future<?> listenForGrpc(PeerBounds bounds) {
    return socket.grpc().isEmpty()
        ? Future.succeededFuture()
        : listenForGrpc(socket.grpc().get(), bounds);
  }

  private Future<?> listenForGrpc(ServedSocket.Grpc grpc, PeerBounds bounds) {
    var services =
        new GrpcServices(vertx, served, KeepAlive.CALM, Optional.empty(), bounds.forListedUsers());
    return vertx
        .executeBlocking(grpc.users()::lookUp)
        .compose(_ -> services.listenUnix(grpc.path(), grpc.mode(), grpc.users()::admits))
        .onSuccess(listening::add);
  }

  /** The services as they are served, once this has started. */
  List<ServerServiceDefinition> served() {
    return served;
  }

  private ServerServiceDefinition capped(ServerServiceDefinition service) {
    // The last interceptor gets a call first.
    return ServerInterceptors.intercept(service, cap, new HeardCalls(this::auditing));
  }

  /** The audit log has calls that change something, and all that are refused. */
  private Consumer<CallOutcome> auditing() {
    Peer peer = Peer.current();
    return outcome -> {
      boolean audited = outcome.refused() || !outcome.onlyReads();
      if (peer instanceof Peer.Local(int pid, int uid, _) && audited) {
        bus.tell(Topics.CALL_SERVED, new ServedCall(uid, pid, outcome));
      }
    };
  }

  @Override
  public Future<?> stop() {
    return Future.join(listening.stream().map(Listening::close).toList());
  }
}
