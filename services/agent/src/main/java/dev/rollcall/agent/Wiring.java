package dev.rollcall.agent;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.rollcall.agent.account.AccountVerticle;
import dev.rollcall.agent.audit.AuditVerticle;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.gateway.AnnouncedAddresses;
import dev.rollcall.agent.gateway.GatewayTarget;
import dev.rollcall.agent.gateway.GatewayVerticle;
import dev.rollcall.agent.gateway.NodeSelf;
import dev.rollcall.agent.health.HealthVerticle;
import dev.rollcall.agent.login.LoginVerticle;
import dev.rollcall.agent.login.decide.AuditOnly;
import dev.rollcall.agent.login.file.JobFile;
import dev.rollcall.agent.login.file.LoginFileWriter;
import dev.rollcall.agent.login.file.NodeFacts;
import dev.rollcall.agent.login.log.LoginLogVerticle;
import dev.rollcall.agent.login.log.LoginLogWriter;
import dev.rollcall.agent.login.socket.LoginSocketVerticle;
import dev.rollcall.agent.login.socket.SocketPeers;
import dev.rollcall.agent.outside.OutsideVerticle;
import dev.rollcall.agent.series.JobCalls;
import dev.rollcall.agent.series.JobSeries;
import dev.rollcall.agent.series.device.GpuJobFiles;
import dev.rollcall.agent.series.device.NodeGpus;
import dev.rollcall.agent.serve.GrpcUsers;
import dev.rollcall.agent.serve.ServeVerticle;
import dev.rollcall.agent.serve.ServedSocket;
import dev.rollcall.agent.watch.NodeIdentity;
import dev.rollcall.agent.watch.WatchVerticle;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.port.CallSource;
import dev.rollcall.port.Jobs;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.alive.AnswerWatch;
import dev.rollcall.wire.alive.Systemd;
import dev.rollcall.wire.alive.WatchedPart;
import dev.rollcall.wire.audit.AuditLog;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.grpc.limit.UidOwners;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryGuard;
import dev.rollcall.wire.metrics.Exemplars;
import dev.rollcall.wire.metrics.MeterDescriptions;
import dev.rollcall.wire.metrics.ProcessMetrics;
import dev.rollcall.wire.pace.SharedTimer;
import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsWatch;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The only class that sees every stage: gives each what it needs of the world, and starts it. */
final class Wiring {
  /**
   * What the stages need of the world.
   *
   * @param checkJobs removes what ended sessions and unclean jobs left, and answers how the
   *     provider of the jobs is; may block
   * @param jobMeters registers what the provider of the jobs counts
   * @param expectMove makes the kernel ready for a move that is about to come
   * @param auditOnly whose sessions are only watched
   * @param outside reports processes outside of jobs
   * @param slurmSpool SlurmdSpoolDir; absent: the jobs are Rollcall's own
   */
  record World(
      Jobs jobs,
      Supplier<StageHealth> checkJobs,
      Consumer<MeterRegistry> jobMeters,
      Runnable expectMove,
      CallSource calls,
      SocketPeers peers,
      OutsideVerticle.Kernel outside,
      Predicate<InetAddress> isOwn,
      Supplier<Set<InetAddress>> addresses,
      IntFunction<String> userName,
      AuditOnly auditOnly,
      Optional<Path> slurmSpool) {}

  private static final Duration SOCKET_SILENCE = Duration.ofSeconds(1);

  /**
   * The process has three event loops, each of a Vert.x of its own. What is received from users may
   * keep theirs busy, or block it.
   *
   * @param logins for logins, and for all that they need
   * @param users for the stages to which users can connect
   * @param root for the stages to which only root can connect: orders about jobs, and metrics
   */
  record EventLoops(Vertx logins, Vertx users, Vertx root) {}

  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration TIMER = Duration.ofSeconds(30);

  /** A third of the unit's WatchdogSec. */
  private static final Duration ANSWERS = Duration.ofMinutes(1);

  private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(30);
  private static final int CHECKS_PER_RENEWAL = (int) TlsWatch.EVERY.dividedBy(BETWEEN_CHECKS);

  /** Several times as many as one user can take. */
  private static final int MOVERS = 8;

  /** Each may wait for a scheduler's daemon. */
  private static final int JOINERS = 4;

  /** Each waits for an id(1). */
  private static final int ENFORCERS = 4;

  private static final int JOB_CHANGERS = 8;
  private static final long LONGEST_END_MINUTES = 15;
  private static final long USERS_STOP_MS = 500;

  private final Vertx vertx;
  private final EventLoops loops;
  private final AgentConfig config;
  private final NodeEpoch epoch;
  private final String version;
  private final World world;
  private final Bus bus;
  private final SharedTimer timer;
  private final Exemplars exemplars = new Exemplars();
  private final PrometheusMeterRegistry registry = exemplars.registry();
  private final MemoryBudget memory;
  private final MemoryGuard guard;
  private final AnswerWatch answers;
  private final GrpcUsers grpcUsers;
  private final NodeGpus gpus = new NodeGpus(Path.of("/"), System::nanoTime);

  /** Read when the first stage starts, so that files that cannot be used end the start. */
  private Optional<TlsIdentity> tls = Optional.empty();

  private final AtomicReference<Optional<StageHealth>> jobsHealth =
      new AtomicReference<>(Optional.empty());

  /** Each has a thread of its own, as one may hang. */
  private final List<PeriodicCheck> checks = new CopyOnWriteArrayList<>();

  private final AnnouncedAddresses addresses;
  private volatile Runnable renewTls = () -> {};

  /** Of the thread that renews. */
  private int checksUntilRenewal = CHECKS_PER_RENEWAL;

  /** The stages that run, the last first; the end is asked for on another thread. */
  private final Deque<Supplier<Future<Void>>> deployed = new ConcurrentLinkedDeque<>();

  Wiring(EventLoops loops, AgentConfig config, NodeEpoch epoch, String version, World world) {
    this.vertx = loops.logins();
    this.loops = loops;
    this.config = config;
    this.epoch = epoch;
    this.version = version;
    this.world = world;
    this.bus = new Bus(vertx);
    this.timer = new SharedTimer(vertx, TIMER);
    this.addresses = new AnnouncedAddresses(world.addresses());
    registry.config().meterFilter(new MeterDescriptions(Wiring.class));
    ProcessMetrics.register(version, registry);
    world.jobMeters().accept(registry);
    for (JobState state : JobState.values()) {
      if (state != JobState.CLOSED) {
        registry.gauge(
            "rollcall.jobs", Tags.of("state", state.word()), world.jobs(), jobs -> in(jobs, state));
      }
    }
    memory = PeerBounds.agentMemory(registry);
    grpcUsers = new GrpcUsers(config.grpcUsers(), UidOfName::of, registry);
    VertxSettings.countEnded(loops.users(), registry);
    VertxSettings.addConnections(loops.users(), memory.connections());
    VertxSettings.addConnections(loops.root(), memory.connections());
    guard = MemoryGuard.start(memory, registry);
    answers = AnswerWatch.start(parts(loops), AnswerWatch.ONLY_WHEN_TOLD);
  }

  private static double in(Jobs jobs, JobState state) {
    return jobs.list().stream().filter(job -> job.state() == state).count();
  }

  private static List<WatchedPart> parts(EventLoops loops) {
    return Stream.of(
            WatchedPart.loopsOf(loops.logins(), "logins"),
            WatchedPart.loopsOf(loops.users(), "users"),
            WatchedPart.loopsOf(loops.root(), "root"))
        .flatMap(List::stream)
        .toList();
  }

  /** Starts the stages; the login socket comes last, when everything behind it is there. */
  Future<Void> start() {
    Vertx readers = config.metrics() instanceof MetricsPlace.Socket ? loops.root() : loops.users();
    return deploy(readers, List.of(this::health))
        .compose(_ ->
            deploy(
                vertx,
                List.of(
                    this::watch,
                    this::audit,
                    this::login,
                    this::outside,
                    this::connect,
                    this::account,
                    this::loginLog)))
        .compose(_ -> deploy(loops.users(), List.of(this::serveUsers)))
        .compose(_ -> deploy(loops.root(), List.of(this::serveRoot)))
        .onSuccess(_ ->
            repeat(
                "rollcall-jobs-check",
                () -> {
                  checkJobs();
                  answers.look();
                }))
        .onSuccess(_ -> repeatForGrpcUsers())
        .onSuccess(_ -> writeGpuJobFiles())
        .compose(_ -> deploy(vertx, List.of(this::loginSocket)))
        .onSuccess(_ -> timer.repeat(ANSWERS, this::reportAnswers));
  }

  /** Tries the way to a gateway and back; never fails, and takes two seconds at most. */
  Future<Void> warmUp() {
    return bus.ask(Queries.WARMED_UP, new Empty(), WARM_UP).otherwise(new Empty()).mapEmpty();
  }

  /** On the event loop of the logins, which is awake for its timer. */
  private void reportAnswers() {
    answers.look();
    if (answers.objection().isEmpty()) {
      Systemd.tell(vertx, "WATCHDOG=1");
    }
  }

  private Optional<String> hung() {
    answers.look();
    return answers.objection();
  }

  private Future<Void> deploy(Vertx on, List<Supplier<Deployable>> stages) {
    Future<?> started = Future.succeededFuture();
    for (Supplier<Deployable> stage : stages) {
      started =
          started
              .compose(_ -> on.deployVerticle(stage.get()))
              .onSuccess(id -> deployed.push(() -> undeploy(on, id)));
    }
    return started.mapEmpty();
  }

  /**
   * Closes the login socket, lets what was answered be published, and stops the stages, the last
   * first: each still has what it needs. A stage on the event loop of users is left behind if that
   * loop hangs. A session that was answered is in the audit log when this has ended; Vert.x may be
   * closed then, by another thread than its own.
   */
  Future<Void> stop() {
    checks.forEach(PeriodicCheck::close);
    answers.close();
    guard.close();
    Future<?> stopped =
        undeployLast()
            .eventually(
                () -> vertx.timer(2 * LoginVerticle.PUBLISHED_AFTER.toMillis(), MILLISECONDS));
    for (int i = deployed.size(); i > 0; i--) {
      stopped = stopped.eventually(this::undeployLast);
    }
    return stopped.mapEmpty();
  }

  private Future<Void> undeploy(Vertx on, String id) {
    Future<Void> undeployed = on.undeploy(id);
    return on.equals(loops.users())
        ? Future.any(undeployed, vertx.timer(USERS_STOP_MS, MILLISECONDS)).mapEmpty()
        : undeployed;
  }

  private Future<Void> undeployLast() {
    Supplier<Future<Void>> last = deployed.poll();
    return last == null ? Future.succeededFuture() : last.get();
  }

  private HealthVerticle health() {
    tls = config.tls().map(files -> files.identity(config.cluster()));
    return new HealthVerticle(
        bus,
        new HealthVerticle.Place(config.metrics(), tls, config.cluster()),
        Set.of("watch", ServedSocket.USERS, ServedSocket.ROOT, "login-socket"),
        this::hung,
        series(),
        registry);
  }

  /** Also without a scraper, and before a job that ends is forgotten. */
  private void countCalls(JobSeries series) {
    if (!config.watchedServices().isEmpty()) {
      PeriodicCheck check = repeat("rollcall-job-calls", series::countCalls);
      world
          .jobs()
          .listen(
              new Jobs.Listener() {
                @Override
                public void changed(Job job) {
                  if (job.state() == JobState.CLOSING) {
                    check.soon();
                  }
                }

                @Override
                public void mayEnd(Job job) {
                  check.soon();
                }
              });
    }
  }

  private Optional<Function<String, byte[]>> series() {
    return Optional.of(config.jobMetrics())
        .filter(depth -> depth != MeasureDepth.NO)
        .map(depth -> {
          String provider = world.slurmSpool().isPresent() ? "slurm" : "rollcall";
          var series =
              new JobSeries(
                  world.jobs(),
                  depth,
                  config.jobMetricsNames(),
                  provider,
                  world.userName(),
                  gpus,
                  new JobCalls(world.calls(), world.jobs(), config.watchedServices()),
                  System::nanoTime);
          countCalls(series);
          return series::page;
        });
  }

  /** Counts how the files of this process's identity are renewed. */
  private void watch(TlsIdentity identity) {
    registry.gauge(
        "rollcall.tls.certificate.not.before.timestamp.seconds",
        identity,
        each -> each.begins().getEpochSecond());
    registry.gauge(
        "rollcall.tls.certificate.not.after.timestamp.seconds",
        identity,
        each -> each.expires().getEpochSecond());
    registry.gauge("rollcall.tls.files.rejected", identity, each -> each.rejects() ? 1 : 0);
    renewTls = TlsWatch.look(identity, registry.counter("rollcall.tls.renewals"));
  }

  private WatchVerticle watch() {
    return new WatchVerticle(
        bus,
        world.calls(),
        world.jobs(),
        new NodeIdentity(config.cluster(), epoch.node()),
        world.isOwn(),
        registry);
  }

  private AuditVerticle audit() {
    return new AuditVerticle(
        bus,
        timer,
        config.auditFile(),
        new AuditLog.Writer("agent", epoch.node().text(), version),
        world.userName(),
        UidOwners.ofHost()::of,
        registry);
  }

  private LoginVerticle login() {
    LoginFileWriter files = loginFiles();
    repeat(
        "rollcall-renewal",
        () -> {
          world.auditOnly().renew();
          files.renew();
          if (--checksUntilRenewal == 0) {
            checksUntilRenewal = CHECKS_PER_RENEWAL;
            renewTls.run();
            addresses.read();
          }
          world.calls().refresh(); // the last, because it may fail
        });
    return new LoginVerticle(
        bus,
        world.jobs(),
        files,
        world.expectMove(),
        new LoginVerticle.Site(
            epoch.number(),
            new LoginLogWriter(config.runDirectory().resolve("login"), epoch.bootId()),
            config.loginGrace(),
            world.isOwn(),
            config.userMoves().ofUsers(),
            config.sessions(),
            config.userNamespaceSessions(),
            world.auditOnly()),
        new LoginVerticle.Workers(
            workers("movers", MOVERS),
            workers("joiners", JOINERS),
            workers("audit-only", ENFORCERS),
            workers("previews", 1)),
        registry,
        exemplars);
  }

  private LoginFileWriter loginFiles() {
    return new LoginFileWriter(
        config.runDirectory().resolve("login"),
        new NodeFacts(
            epoch.bootId(),
            config.cluster(),
            epoch.node().text(),
            world.slurmSpool(),
            config.deniedHelp().map(DeniedHelp::text).orElse("")),
        new JobFile(epoch.bootId(), config.sessions().environment(), config.sessions().limits()),
        world.jobs(),
        world.auditOnly()::isOn,
        workers("login", 1),
        registry);
  }

  private LoginLogVerticle loginLog() {
    return new LoginLogVerticle(
        bus,
        config.runDirectory().resolve("login"),
        epoch.bootId(),
        config.auditFile(),
        workers("login-log", 1),
        registry);
  }

  private GatewayVerticle connect() {
    var self =
        new NodeSelf(
            config.cluster(), epoch, addresses, version, world.calls().name(), world.userName());
    tls.ifPresent(this::watch);
    return new GatewayVerticle(
        vertx,
        bus,
        timer,
        self,
        config.gateways().stream().map(this::gateway).toList(),
        world.jobs(),
        workers("readers", 1),
        registry);
  }

  private GatewayTarget gateway(HostPort at) {
    var pinged = new AtomicReference<Runnable>(() -> {});
    KeepAlive watched = KeepAlive.RARE.at(timer, () -> requireNonNull(pinged.get()).run());
    var channel = GrpcChannel.tcp(vertx, at.host(), at.port(), tls, watched);
    return new GatewayTarget(at.toString(), channel, pinged::set, channel::need);
  }

  private AccountVerticle account() {
    return new AccountVerticle(
        bus,
        timer,
        world.jobs(),
        epoch.node(),
        new AccountVerticle.Files(config.usageFile(), config.stateDirectory()),
        this::checkJobs,
        workers("accounts", 2),
        registry);
  }

  private ServeVerticle serveUsers() {
    return serve(ServedSocket.ofUsers(config.runDirectory(), grpcUsers), loops.users());
  }

  private ServeVerticle serveRoot() {
    return serve(ServedSocket.ofRoot(config.runDirectory()), loops.root());
  }

  private ServeVerticle serve(ServedSocket socket, Vertx on) {
    return new ServeVerticle(
        bus,
        socket,
        world.jobs(),
        epoch.node(),
        world.userName(),
        config.endGrace(),
        config.sessions().environment(),
        world.outside().processes(),
        config.userMoves(),
        workers(on, "jobs", JOB_CHANGERS),
        world.isOwn(),
        memory,
        registry);
  }

  private OutsideVerticle outside() {
    return new OutsideVerticle(
        bus,
        world.jobs(),
        world.outside(),
        config.userManager(),
        new OutsideVerticle.Workers(workers("outside", 1), workers("outside-list", 1)),
        world.isOwn(),
        registry);
  }

  /** A name may be of a directory service that does not answer yet. */
  private void repeatForGrpcUsers() {
    if (!config.grpcUsers().isEmpty()) {
      var last = new AtomicReference<Optional<StageHealth>>(Optional.empty());
      repeat("rollcall-grpc-users", () -> publish(grpcUsers.lookUp(), last));
    }
  }

  /** On a thread of its own after each change of a job; no job waits for it. */
  private void writeGpuJobFiles() {
    if (!config.gpuJobFiles().isEmpty()) {
      var files = new GpuJobFiles(world.jobs(), gpus, world.userName(), config.gpuJobFiles());
      var last = new AtomicReference<Optional<StageHealth>>(Optional.empty());
      PeriodicCheck check = repeat("rollcall-gpu-files", () -> publish(files.renew(), last));
      world.jobs().listen(_ -> check.soon());
      check.soon();
    }
  }

  private PeriodicCheck repeat(String name, Runnable look) {
    PeriodicCheck check = PeriodicCheck.every(BETWEEN_CHECKS, name, look);
    checks.add(check);
    return check;
  }

  /** Also has them sent to the gateways, if they have changed. Blocks. */
  void readAddresses() {
    var _ = addresses.read();
  }

  void checkJobs() {
    publish(world.checkJobs().get(), jobsHealth);
  }

  /** Publishes only what is new, because each event wakes the event loops of its consumers. */
  private void publish(StageHealth now, AtomicReference<Optional<StageHealth>> last) {
    if (!Optional.of(now).equals(last.getAndSet(Optional.of(now)))) {
      bus.tell(Topics.HEALTH_CHANGED, now);
    }
  }

  private LoginSocketVerticle loginSocket() {
    return new LoginSocketVerticle(
        bus,
        epoch.node(),
        config.runDirectory().resolve("login.sock"),
        world.peers(),
        SOCKET_SILENCE,
        registry);
  }

  /** Threads are made when they are needed first, and sleep without a timer. */
  private WorkerExecutor workers(String name, int threads) {
    return workers(vertx, name, threads);
  }

  /**
   * @param on on whose event loop their results arrive
   */
  private static WorkerExecutor workers(Vertx on, String name, int threads) {
    return on.createSharedWorkerExecutor(
        "rollcall-" + name,
        threads,
        Duration.ofMinutes(LONGEST_END_MINUTES).toNanos(),
        NANOSECONDS);
  }
}
