package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.LoginVerticle;
import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.login.decide.AuditOnly;
import dev.rollcall.agent.login.file.JobFile;
import dev.rollcall.agent.login.file.LoginFileWriter;
import dev.rollcall.agent.login.file.NodeFacts;
import dev.rollcall.agent.login.log.LoginLogWriter;
import dev.rollcall.agent.watch.NodeIdentity;
import dev.rollcall.agent.watch.WatchVerticle;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import dev.rollcall.model.SeenCall;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.Processes;
import dev.rollcall.testkit.calls.FakeCallSource;
import dev.rollcall.testkit.jobs.FakeProcess;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import dev.rollcall.wire.grpc.InThisProcess;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.metrics.Exemplars;
import io.grpc.Channel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** An agent's stages behind its socket, without a kernel: one job, one process, one call. */
public final class FuzzedAgent implements AutoCloseable {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final NodeIdentity NODE = new NodeIdentity("test", new NodeName("node1"));
  private static final String BOOT = "5e1dca1f-6f4b-4c1b-9d4c-000000000001";
  private static final int UID = 2001;
  private static final JobStep STEP = new JobStep(new JobId(7), StepId.of(0));
  private static final Connection CALL =
      Connection.tcp(Endpoint.parse("10.77.0.2:4242"), Endpoint.parse("10.77.0.1:22"));
  private static final Predicate<InetAddress> IS_OWN = CALL.local().address()::equals;

  public final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  final Context loop = vertx.getOrCreateContext();
  final Channel channel;
  final Path socket;
  private final MemoryBudget memory;
  private final InThisProcess services;
  private final Bus bus = new Bus(vertx);
  private final InMemoryJobs jobs = new InMemoryJobs();
  private final FakeCallSource calls = new FakeCallSource();
  private final Path directory;

  public FuzzedAgent() throws IOException {
    directory = Files.createTempDirectory("rollcall-fuzz");
    socket = directory.resolve("agent.sock");
    var registry = new SimpleMeterRegistry();
    memory = PeerBounds.agentMemory(registry);
    var workers = vertx.createSharedWorkerExecutor("workers", 2);
    deploy(new WatchVerticle(bus, calls, jobs, NODE, IS_OWN, registry));
    var grace = Duration.ofMinutes(2);
    var rules = new SessionRules(EnvironmentAllowList.DEFAULTS, true);
    deploy(
        new LoginVerticle(
            bus,
            jobs,
            loginFiles(registry),
            () -> {},
            new LoginVerticle.Site(
                7,
                new LoginLogWriter(directory.resolve("login"), BOOT),
                grace,
                IS_OWN,
                Jobs.From.NO_JOB,
                rules,
                UserNamespaceSessions.REFUSE,
                new EveryDecisionCarriedOut()),
            new LoginVerticle.Workers(workers, workers, workers, workers),
            registry,
            new Exemplars()));
    bus.answer(Queries.GATEWAY_STATE, _ -> Future.succeededFuture(new GatewayState.Absent("none")));
    var serve =
        new ServeVerticle(
            bus,
            ServedSocket.ofUsers(directory, ourselves(registry)),
            jobs,
            NODE.node(),
            uid -> "user" + uid,
            Duration.ofSeconds(7),
            EnvironmentAllowList.DEFAULTS,
            new NoProcesses(),
            UserMoves.FROM_NO_JOB,
            workers,
            IS_OWN,
            memory,
            registry);
    deploy(serve);
    services =
        InThisProcess.serve(
            "agent",
            serve.served(),
            new Peer.Local((int) ProcessHandle.current().pid(), 0, 0),
            loop);
    channel = services.channel();
  }

  /** Lets the user of this process use gRPC. */
  private GrpcUsers ourselves(SimpleMeterRegistry registry) throws IOException {
    String uid = String.valueOf(Files.getAttribute(directory, "unix:uid"));
    return new GrpcUsers(List.of(uid), _ -> OptionalInt.empty(), registry);
  }

  private static final class NoProcesses implements Processes {
    @Override
    public Optional<Owned> pin(int pid) {
      return Optional.empty();
    }

    @Override
    public Optional<Seen> see(int pid) {
      return Optional.empty();
    }

    @Override
    public void forEach(IntPredicate uids, IntConsumer pids) {}

    @Override
    public List<ProcessRef> below(ProcessRef process, int uid) {
      return List.of();
    }

    @Override
    public boolean runs(ProcessRef process) {
      return false;
    }

    @Override
    public boolean kill(PinnedProcess process) {
      return false;
    }
  }

  /** The path of its socket for gRPC. */
  public String address() {
    return directory.resolve("grpc.sock").toString();
  }

  /** Bytes that its peers hold. */
  public long held() {
    return memory.held();
  }

  private LoginFileWriter loginFiles(MeterRegistry registry) {
    return new LoginFileWriter(
        directory.resolve("login"),
        new NodeFacts(BOOT, "test", NODE.node().text(), Optional.empty(), ""),
        new JobFile(BOOT, EnvironmentAllowList.DEFAULTS, true),
        jobs,
        () -> false,
        vertx.createSharedWorkerExecutor("login", 1),
        registry);
  }

  private void deploy(Deployable stage) {
    ended(vertx.deployVerticle(stage));
  }

  /** As it was at first, whatever was begun and changed. */
  public void anew() {
    jobs.forget();
    jobs.put(new Job(STEP.job(), UID, UID, NOON, JobState.OPEN));
    FakeProcess process = jobs.start("sleep");
    jobs.enter(process, STEP);
    calls.callQuietly(new SeenCall(CALL, process.ref(), UID, jobs.cgroupsOf(process.ref()), NOON));
  }

  /** What those who watch may want to hear of. */
  void happen() {
    jobs.put(new Job(STEP.job(), UID, UID, NOON, JobState.SUSPENDED));
    bus.tell(
        Topics.CALL_MADE,
        new Call(
            CALL,
            new Caller(
                NODE.cluster(),
                NODE.node(),
                new Membership.InJob(STEP),
                UID,
                new ProcessRef(1, 1),
                NOON)));
    bus.tell(Topics.USAGE_RECORDED, jobs.usage(STEP.job()).getFirst());
    bus.tell(
        Topics.ADOPTION_RECORDED,
        new Adoption(
            "a1",
            UID,
            "alice",
            "sshd",
            "10.77.0.1",
            Phase.OPEN_SESSION,
            Outcome.ADOPTED,
            Optional.of(STEP),
            Reason.ONLY_JOB,
            "",
            Optional.of(CALL.flipped()),
            NOON,
            Duration.ofMillis(3),
            Optional.empty()));
  }

  private static void ended(Future<?> future) {
    future.toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() throws IOException {
    services.close();
    ended(vertx.close());
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static final class EveryDecisionCarriedOut implements AuditOnly {
    @Override
    public boolean isOn() {
      return false;
    }

    @Override
    public boolean mayBlock() {
      return false;
    }

    @Override
    public boolean holdsFor(int uid, String user) {
      return false;
    }

    @Override
    public Optional<String> ruleFor(int uid) {
      return Optional.empty();
    }

    @Override
    public void renew() {}
  }
}
