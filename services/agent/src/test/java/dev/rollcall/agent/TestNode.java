package dev.rollcall.agent;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topic;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.LoginVerticle;
import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.login.file.JobFile;
import dev.rollcall.agent.login.file.LoginFileWriter;
import dev.rollcall.agent.login.file.NodeFacts;
import dev.rollcall.agent.login.log.LoginLogWriter;
import dev.rollcall.agent.login.socket.LoginSocketVerticle;
import dev.rollcall.agent.login.socket.SocketPeers;
import dev.rollcall.agent.serve.GrpcUsers;
import dev.rollcall.agent.serve.ServedSocket;
import dev.rollcall.agent.watch.NodeIdentity;
import dev.rollcall.agent.watch.WatchVerticle;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.SeenCall;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.port.Jobs;
import dev.rollcall.testkit.calls.FakeCallSource;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.metrics.Exemplars;
import dev.rollcall.wire.pace.SharedTimer;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
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
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A node without a kernel: real Vert.x, real sockets, jobs and calls in memory. */
public final class TestNode implements AutoCloseable {
  public static final int ALICE = 2001;
  public static final int BOB = 2002;
  public static final JobId OLDER = new JobId(41);
  public static final JobId NEWER = new JobId(42);
  public static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  public static final InetAddress HERE = InetAddress.ofLiteral("10.77.0.2");
  public static final InetAddress FAR = InetAddress.ofLiteral("10.77.0.1");
  public static final NodeIdentity IDENTITY = new NodeIdentity("test", new NodeName("node2"));
  public static final Predicate<InetAddress> IS_OWN = Set.of(HERE)::contains;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  public final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  public final Bus bus = new Bus(vertx);
  public final SharedTimer beat = new SharedTimer(vertx, Duration.ofSeconds(5));
  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  public final InMemoryJobs jobs = new InMemoryJobs();
  public final FakeProcesses users = new FakeProcesses();
  public final FakeCallSource calls = new FakeCallSource();
  public final WorkerExecutor workers = vertx.createSharedWorkerExecutor("workers", 2);
  public final Path directory;

  /** Where the PAM module finds its files; in {@link #directory} at first. */
  public Path loginDirectory;

  public String bootId = "5e1dca1f-6f4b-4c1b-9d4c-000000000001";
  public final AtomicInteger expectedMoves = new AtomicInteger();
  public UserNamespaceSessions inUserNamespaces = UserNamespaceSessions.REFUSE;
  public Jobs.From userMoves = Jobs.From.NO_JOB;
  public volatile int peerUid;

  /** Where the next processes are that ask for logins. */
  public volatile Optional<JobStep> peerStep = Optional.empty();

  public final SettableAuditOnly auditOnly = new SettableAuditOnly();
  public volatile ProcessRef lastPeer = new ProcessRef(1, 1);

  public TestNode() throws IOException {
    directory = Files.createTempDirectory("rollcall-agent");
    loginDirectory = directory.resolve("login");
  }

  /** As the agent has them, but for gateways and the public services. */
  public TestNode withStages() {
    deploy(new WatchVerticle(bus, calls, jobs, IDENTITY, IS_OWN, registry));
    deploy(
        new LoginVerticle(
            bus,
            jobs,
            loginFiles(),
            expectedMoves::incrementAndGet,
            new LoginVerticle.Site(
                7,
                new LoginLogWriter(loginDirectory, bootId),
                Duration.ofMinutes(2),
                IS_OWN,
                userMoves,
                new SessionRules(EnvironmentAllowList.DEFAULTS, true),
                inUserNamespaces,
                auditOnly),
            new LoginVerticle.Workers(
                workers, vertx.createSharedWorkerExecutor("joiners", 4), workers, workers),
            registry,
            new Exemplars()));
    return this;
  }

  private LoginFileWriter loginFiles() {
    return new LoginFileWriter(
        loginDirectory,
        new NodeFacts(bootId, "test", "node2", Optional.empty(), ""),
        new JobFile(bootId, EnvironmentAllowList.DEFAULTS, true),
        jobs,
        () -> false,
        vertx.createSharedWorkerExecutor("login", 1),
        registry);
  }

  public TestNode withLoginSocket() {
    return withLoginSocket(Duration.ofSeconds(1));
  }

  public TestNode withLoginSocket(Duration silence) {
    deploy(
        new LoginSocketVerticle(
            bus, new NodeName("node2"), loginSocket(), this::peer, silence, registry));
    return this;
  }

  public Path loginSocket() {
    return directory.resolve("login.sock");
  }

  private SocketPeers.Peer peer(int descriptor) {
    var process = jobs.start("sshd");
    lastPeer = process.ref();
    peerStep.ifPresent(step -> jobs.enter(process, step));
    users.add(process, 0, 0);
    return new SocketPeers.Peer(process, peerUid);
  }

  public void deploy(Deployable stage) {
    await(vertx.deployVerticle(stage));
  }

  public static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("did not come about", e);
    }
  }

  /** Begins something on the event loop, as the stages do. */
  public <T> T onLoop(Supplier<T> work) {
    Promise<T> begun = Promise.promise();
    vertx.runOnContext(_ -> begun.complete(work.get()));
    return await(begun.future());
  }

  /** Takes what is told from now on. */
  public <T> Heard<T> hear(Topic<T> topic) {
    var heard = Heard.<T>empty();
    bus.hear(topic, heard.queue::add);
    return heard;
  }

  /** Hears of logins that end so, from now on. */
  public Heard<Adoption> logins(Adoption.Outcome outcome) {
    var heard = Heard.<Adoption>empty();
    bus.hear(
        Topics.ADOPTION_RECORDED,
        adoption -> {
          if (adoption.outcome() == outcome) {
            heard.queue.add(adoption);
          }
        });
    return heard;
  }

  /** What was told, in order. */
  public record Heard<T>(BlockingQueue<T> queue) {
    public static <T> Heard<T> empty() {
      return new Heard<>(new LinkedBlockingQueue<>());
    }

    /** Hears a gRPC stream, whose end is not heard. */
    public StreamObserver<T> observer() {
      return new StreamObserver<>() {
        @Override
        public void onNext(T message) {
          queue.add(message);
        }

        @Override
        public void onError(Throwable end) {}

        @Override
        public void onCompleted() {}
      };
    }

    public T next() {
      try {
        T event = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (event == null) {
          throw new AssertionError("nothing was told");
        }
        return event;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  public Heard<StageHealth> health() {
    return hear(Topics.HEALTH_CHANGED);
  }

  /** A job that began so many minutes after noon. */
  public Job job(JobId id, int uid, JobState state, int minutes) {
    var job = new Job(id, uid, uid, NOON.plusSeconds(60L * minutes), state);
    jobs.put(job);
    return job;
  }

  public void twoJobsOfAlice() {
    job(OLDER, ALICE, JobState.OPEN, 0);
    job(NEWER, ALICE, JobState.OPEN, 1);
  }

  /** A connection from an address and port to this node's sshd, as the caller's end sees it. */
  public static Connection callFrom(InetAddress from, int port) {
    return Connection.tcp(new Endpoint(from, port), new Endpoint(HERE, 22));
  }

  public SeenCall seen(Connection call, ProcessRef process, int uid) {
    CgroupIds cgroups = jobs.cgroupsOf(process);
    return new SeenCall(call, process, uid, cgroups, NOON);
  }

  @Override
  public void close() throws IOException {
    await(vertx.close());
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The sockets for users of this node; only root may use gRPC. */
  public ServedSocket usersSocket() {
    return ServedSocket.ofUsers(
        directory, new GrpcUsers(List.of(), _ -> OptionalInt.empty(), registry));
  }
}
