package dev.rollcall.gateway;

import dev.rollcall.gateway.api.AuthorizationInterceptor;
import dev.rollcall.gateway.api.ClusterAdoptionService;
import dev.rollcall.gateway.api.ClusterCallerIdService;
import dev.rollcall.gateway.api.ClusterJobService;
import dev.rollcall.gateway.api.ClusterNodeService;
import dev.rollcall.gateway.api.ClusterTokenService;
import dev.rollcall.gateway.api.JobsWatched;
import dev.rollcall.gateway.api.OutsideProcessListing;
import dev.rollcall.gateway.api.Predictions;
import dev.rollcall.gateway.api.PrincipalResolver;
import dev.rollcall.gateway.api.ProcessListing;
import dev.rollcall.gateway.api.ProcessLookup;
import dev.rollcall.gateway.api.RecentJobs;
import dev.rollcall.gateway.api.UsageListing;
import dev.rollcall.gateway.audit.AuditInterceptors;
import dev.rollcall.gateway.audit.GatewayAudit;
import dev.rollcall.gateway.batch.BatchQuestions;
import dev.rollcall.gateway.console.Console;
import dev.rollcall.gateway.describe.Described;
import dev.rollcall.gateway.describe.HealthService;
import dev.rollcall.gateway.http.Browsers;
import dev.rollcall.gateway.http.HttpApi;
import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.identity.CertificateAuthenticator;
import dev.rollcall.gateway.identity.MungeProofs;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.gateway.identity.Tokens;
import dev.rollcall.gateway.limit.IdentityLimits;
import dev.rollcall.gateway.limit.RateLimitInterceptor;
import dev.rollcall.gateway.node.GatewayAddresses;
import dev.rollcall.gateway.node.NodeNetworks;
import dev.rollcall.gateway.node.NodeSessions;
import dev.rollcall.gateway.node.NodeStreamParts;
import dev.rollcall.gateway.node.NodeStreamSettings;
import dev.rollcall.gateway.route.GatewaysKnown;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.gateway.route.Incoming;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.stream.ConnectedNodes;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.linux.munge.Munge;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.settings.HostPort;
import dev.rollcall.wire.alive.AnswerWatch;
import dev.rollcall.wire.alive.Systemd;
import dev.rollcall.wire.alive.WatchedPart;
import dev.rollcall.wire.audit.AuditLog;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.OtherRequests;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryGuard;
import dev.rollcall.wire.metrics.MeterDescriptions;
import dev.rollcall.wire.metrics.ProcessMetrics;
import dev.rollcall.wire.pace.Rate;
import dev.rollcall.wire.pace.SharedTimer;
import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsWatch;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A gateway's parts, put together. The only class that sees them all. */
final class GatewayWiring {
  private static final System.Logger LOG = System.getLogger(GatewayWiring.class.getName());

  /** Agents send their heartbeats with the answers to these pings. */
  private static final KeepAlive KEEP_ALIVE =
      new KeepAlive(KeepAlive.RARE.every(), Duration.ofSeconds(5));

  /** Its messages are large: reports of a node. */
  private static final Set<String> LARGE =
      Set.of(RollServiceGrpc.getConnectMethod().getFullMethodName());

  private static final int MOST_WORK = 10_000;
  private static final long TICK_MILLIS = 1_000;
  private static final int ADDRESS_TICKS = 5;
  private static final int SIZE_TICKS = 30;

  /** From one look at the event loops to the next. */
  private static final Duration ANSWERS = Duration.ofSeconds(5);

  /** A member that hangs is left out after 15 s, and what it held is then answered by others. */
  private static final int GRID_SECONDS = 60;

  private final Vertx vertx;
  private final GatewayConfig config;
  private final Roll roll;
  private final Workers workers = new Workers(MOST_WORK);
  private final HealthService health = new HealthService();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MemoryBudget memory;
  private final MemoryGuard guard;
  private final Optional<TlsIdentity> tls;
  private final GatewayAudit audit;
  private final GatewayMail mail;
  private final GatewayAddresses gatewayAddresses = new GatewayAddresses();
  private final Router router;
  private final GatewaysKnown gateways;
  private final BatchQuestions batch;
  private final NodeSessions sessions;
  private final JobsWatched jobsWatched;
  private final IdentityLimits limits;
  private final Counter nodesLost;
  private final List<ServerServiceDefinition> served;
  private final GrpcServices services;
  private volatile Roll.Size size = new Roll.Size(0, 0, 0, 0);
  private IntSupplier members = () -> 1;
  private Runnable askGrid = () -> {};
  private @Nullable AnswerWatch answers;
  private boolean expiring;
  private volatile boolean stopping;
  private int ticks;
  private long timer = -1;
  private long auditTimer = -1;
  private long answersTimer = -1;
  private GrpcServices.@Nullable Listening listening;
  private GrpcServices.@Nullable Listening scraped;

  GatewayWiring(Vertx vertx, GatewayConfig config, String version, Roll roll, GatewayMail mail) {
    this(vertx, config, version, roll, mail, NodeSessions.REGISTRATIONS);
  }

  /**
   * @param registrations of each node
   */
  GatewayWiring(
      Vertx vertx,
      GatewayConfig config,
      String version,
      Roll roll,
      GatewayMail mail,
      Rate registrations) {
    this.vertx = vertx;
    this.config = config;
    this.roll = roll;
    this.mail = mail;
    registry.config().meterFilter(new MeterDescriptions(GatewayWiring.class));
    ProcessMetrics.register(version, registry);
    nodesLost = registry.counter("rollcall.gateway.nodes.lost");
    memory = PeerBounds.gatewayMemory(registry);
    VertxSettings.countEnded(vertx, registry);
    VertxSettings.addConnections(vertx, memory.connections());
    guard = MemoryGuard.start(memory, registry);
    tls = config.tls().map(files -> files.identity(config.cluster()));
    var nodes = new ConnectedNodes();
    router = new Router(roll, mail, nodes, registry);
    gateways = new GatewaysKnown(router, version, tls);
    audit =
        new GatewayAudit(
            config.auditFile(), new AuditLog.Writer("gateway", mail.self(), version), registry);
    var identifier = new Identifier(config.cluster(), roll, workers, router, audit);
    var settings =
        new NodeStreamSettings(
            config.cluster(),
            version,
            mail.self(),
            config.lease(),
            config.keepCalls(),
            new NodeNetworks(
                config.trust().nodeNetworks(), config.trust().nodeFile(), gatewayAddresses));
    var certificates =
        new CertificateAuthenticator(
            config.cluster(), config.trust().named(), config.trust().nodeFile());
    batch = new BatchQuestions(config.squeue(), config.squeueEvery(), workers, registry);
    sessions =
        new NodeSessions(
            new NodeStreamParts(
                settings,
                roll,
                workers,
                certificates,
                nodes,
                router,
                identifier,
                batch,
                audit,
                memory,
                registry),
            registrations);
    var recent = new RecentJobs(roll, workers);
    jobsWatched = new JobsWatched(recent);
    Optional<Tokens> tokens = tokens();
    var identified = new AuthenticationInterceptor(certificates, munge(), tokens);
    limits = new IdentityLimits(config.trust().rates(), registry);
    var limited = new RateLimitInterceptor(limits, PrincipalResolver.UID);
    var access = new AuthorizationInterceptor();
    var audited = new AuditInterceptors(audit);
    // The last one sees a call first.
    List<ServerInterceptor> interceptors =
        List.of(access, limited, audited.recognised(), identified, audited);
    served =
        Stream.of(
                sessions,
                new ClusterAdoptionService(
                    router.adoptions(), workers, new Predictions(roll, router), memory),
                new ClusterCallerIdService(
                    identifier,
                    new ProcessLookup(roll, workers, router, registry),
                    router.watched(),
                    memory),
                new ClusterJobService(
                    roll,
                    workers,
                    recent,
                    new ProcessListing(roll, workers, router),
                    new UsageListing(roll, workers, router),
                    jobsWatched,
                    memory),
                new ClusterNodeService(
                    roll,
                    workers,
                    new OutsideProcessListing(roll, router),
                    gateways,
                    config.offered().links()),
                new ClusterTokenService(tokens))
            .map(service -> ServerInterceptors.intercept(service, interceptors))
            .toList();
    Stream<ServerServiceDefinition> toTools =
        Stream.concat(Stream.of(health.service().bindService()), reflection())
            .map(service -> ServerInterceptors.intercept(service, interceptors));
    services =
        new GrpcServices(
            vertx,
            Stream.concat(served.stream(), toTools).toList(),
            KEEP_ALIVE,
            Optional.of(requests(new HttpApi(vertx, served, version))),
            PeerBounds.ofGateway(memory, LARGE, certificates::account, Browsers::siteObjection));
    mail.listen(new Incoming(router, gateways, this::nodesConnectAgain));
    registry.gauge("rollcall.gateway.work.under.way", workers, Workers::underWay);
    countRoll();
  }

  private void countRoll() {
    registry.gauge(
        "rollcall.gateway.roll.nodes", Tags.of("state", "connected"), this, it -> it.size.nodes());
    registry.gauge(
        "rollcall.gateway.roll.nodes", Tags.of("state", "lost"), this, it -> it.size.lost());
    registry.gauge(
        "rollcall.gateway.roll.entries", Tags.of("map", "jobs"), this, it -> it.size.jobs());
    registry.gauge(
        "rollcall.gateway.roll.entries", Tags.of("map", "calls"), this, it -> it.size.calls());
  }

  private Stream<ServerServiceDefinition> reflection() {
    return config.offered().reflection()
        ? Stream.of(new Described(served).service())
        : Stream.empty();
  }

  /** Has the metrics tell how many gateways this one sees in its grid, itself too. */
  void countMembers(IntSupplier members) {
    this.members = members;
    // The registry holds what it asks weakly: this gateway stays, a lambda would not.
    registry.gauge(
        "rollcall.gateway.grid.members",
        Tags.of("cluster", config.cluster()),
        this,
        gateway -> gateway.members.getAsInt());
  }

  /**
   * Has the gateway end if the cluster of gateways does not answer for long.
   *
   * @param ask returns when it has answered, and throws if it did not
   */
  void watchGrid(Runnable ask) {
    askGrid = ask;
  }

  /** Listens; fails with a message that names the port that is not to be had. */
  Future<Void> start() {
    var parts = new ArrayList<>(WatchedPart.loopsOf(vertx, "gateway"));
    parts.add(
        new WatchedPart(
            "the cluster of gateways",
            () -> WatchedPart.State.WORKS,
            this::askGrid,
            GRID_SECONDS,
            () -> new StackTraceElement[0]));
    AnswerWatch watch = AnswerWatch.start(parts, ANSWERS);
    answers = watch;
    return MetricsPort.open(vertx, config, tls, registry, health, watch::objection)
        .compose(opened -> {
          scraped = opened;
          return services.listenTcp(
              config.listen().host(),
              config.listen().port(),
              tls,
              config.trust().takesStrangers()
                  ? GrpcServices.Certificates.REQUESTED
                  : GrpcServices.Certificates.REQUIRED);
        })
        .map(opened -> {
          listening = opened;
          tls.ifPresent(this::watch);
          timer = vertx.setPeriodic(TICK_MILLIS, _ -> tick());
          answersTimer = vertx.setPeriodic(ANSWERS.toMillis(), _ -> reportAnswers(watch));
          auditTimer = vertx.setPeriodic(AuditLog.TELL_EVERY.toMillis(), _ -> audit.tellLeftOut());
          tick();
          LOG.log(
              Level.INFO,
              "gateway of cluster {0} listens on {1}",
              config.cluster(),
              new HostPort(config.listen().host(), opened.port()));
          return null;
        });
  }

  /** Counts how the files of this process's identity are renewed. */
  private void watch(TlsIdentity identity) {
    registry.gauge(
        "rollcall.gateway.tls.certificate.not.before.timestamp.seconds",
        identity,
        each -> each.begins().getEpochSecond());
    registry.gauge(
        "rollcall.gateway.tls.certificate.not.after.timestamp.seconds",
        identity,
        each -> each.expires().getEpochSecond());
    registry.gauge("rollcall.gateway.tls.files.rejected", identity, each -> each.rejects() ? 1 : 0);
    TlsWatch.start(
        vertx,
        new SharedTimer(vertx, TlsWatch.EVERY),
        identity,
        registry.counter("rollcall.gateway.tls.renewals"));
  }

  private OtherRequests requests(HttpApi api) {
    return config.offered().console() ? new Console(api) : api;
  }

  private Optional<Tokens> tokens() {
    TrustConfig trust = config.trust();
    return trust
        .tokens()
        .map(keys -> new Tokens(config.cluster(), keys, trust.tokenLife(), InstantSource.system()));
  }

  private Optional<MungeProofs> munge() {
    return config
        .trust()
        .munge()
        .map(socket -> new MungeProofs(new Munge(socket), config.trust().administrators()));
  }

  List<ServerServiceDefinition> served() {
    return served;
  }

  /** Calls that are being served, by gRPC and by HTTP. */
  int callsUnderWay() {
    return limits.underWay();
  }

  /** Bytes of memory that its peers hold. */
  long held() {
    return memory.held();
  }

  /** The port on which agents and clients are served. */
  int port() {
    GrpcServices.Listening opened = listening;
    return opened == null ? -1 : opened.port();
  }

  private void reportAnswers(AnswerWatch watch) {
    if (watch.objection().isEmpty()) {
      Systemd.tell(vertx, "WATCHDOG=1");
    }
  }

  /** Until it has answered once: a question that fails may have gone to a member that hangs. */
  private void askGrid(Runnable answered) {
    Thread.startVirtualThread(() -> {
      while (!stopping) {
        try {
          askGrid.run();
          answered.run();
          return;
        } catch (RuntimeException e) {
          LOG.log(Level.DEBUG, "the cluster of gateways did not answer", e);
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
      }
    });
  }

  private void tick() {
    sessions.tick();
    router.tick();
    gateways.tick();
    batch.tick();
    jobsWatched.tick();
    limits.tick();
    if (ticks++ % ADDRESS_TICKS == 0) {
      var _ = workers.run(this::lookForAddresses);
    }
    if (ticks % SIZE_TICKS == 1) {
      var _ = workers.run(roll::size).thenAccept(now -> size = now);
    }
    if (!expiring) {
      expiring = true;
      var _ =
          workers
              .run(roll::expire)
              .whenComplete((lost, failure) -> vertx.runOnContext(_ -> expired(lost, failure)));
    }
  }

  private boolean lookForAddresses() {
    config.trust().nodeFile().ifPresent(NodeFile::renew);
    gatewayAddresses.look(mail.gateways());
    return true;
  }

  private void expired(@Nullable List<NodeName> lost, @Nullable Throwable failure) {
    expiring = false;
    if (lost == null) {
      health.notReady("the roll does not answer: " + failure);
      return;
    }
    health.ready();
    lost.forEach(node -> {
      nodesLost.increment();
      LOG.log(Level.WARNING, "node {0} is lost: its lease has ended", node);
    });
  }

  /** Every node sends its state again. */
  private void nodesConnectAgain(String because) {
    LOG.log(Level.WARNING, "{0}: every node connects again", because);
    sessions.closeAll(Status.UNAVAILABLE.withDescription(because + ": connect again"));
  }

  /** Sends the nodes to other gateways and stops. */
  Future<Void> stop() {
    health.notReady("stopping");
    stopping = true;
    vertx.cancelTimer(timer);
    vertx.cancelTimer(auditTimer);
    vertx.cancelTimer(answersTimer);
    AnswerWatch watch = answers;
    if (watch != null) {
      watch.close();
    }
    guard.close();
    sessions.closeAll(Status.UNAVAILABLE.withDescription("the gateway stops"));
    GrpcServices.Listening opened = listening;
    Future<Void> closed = opened == null ? Future.succeededFuture() : opened.close();
    GrpcServices.Listening metrics = scraped;
    return closed
        .eventually(() -> metrics == null ? Future.succeededFuture() : metrics.close())
        .eventually(() -> {
          workers.close();
          return vertx.executeBlocking(() -> {
            audit.close();
            return true;
          });
        });
  }
}
