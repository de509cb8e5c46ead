package dev.rollcall.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.login.socket.ModuleRequest;
import dev.rollcall.agent.login.socket.SocketPeers;
import dev.rollcall.agent.outside.Execs;
import dev.rollcall.agent.outside.OutsideVerticle;
import dev.rollcall.linux.execs.ExecWatch;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.SeenCall;
import dev.rollcall.port.CallSource.PortCalls;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.ReplyOutcome;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.testkit.calls.FakeCallSource;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.local.LocalChannel;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All stages of an agent, on a node whose jobs are in memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WiringTest {
  private static final int LOGINS = 20;
  private static final int STRANGERS = 50;

  @TempDir private Path directory;
  private final InMemoryJobs jobs = new InMemoryJobs();
  private final FakeCallSource calls = new FakeCallSource();
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final Vertx front = VertxSettings.start(VertxSettings.quiet());
  private final Vertx root = VertxSettings.start(VertxSettings.quiet());
  private final Slow slow = new Slow();
  private String settings = "";

  /** Work on behalf of a user that takes until it is released. */
  private static final class Slow {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean armed;

    void work() {
      if (armed) {
        begun.countDown();
        awaitIt(released);
      }
    }

    private static void awaitIt(CountDownLatch latch) {
      try {
        assertTrue(latch.await(50, TimeUnit.SECONDS), "it did not happen");
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    /** Runs an action while the work is under way. */
    void meanwhile(Action action) throws IOException {
      awaitIt(begun);
      try {
        action.run();
      } finally {
        released.countDown();
      }
    }

    interface Action {
      void run() throws IOException;
    }
  }

  /** A kernel that begins no program. */
  private record NoExecs() implements Execs {
    @Override
    public void open(ExecWatch.Listener listener) {}

    @Override
    public void watch(Set<Integer> uids) {}

    @Override
    public void close() {}
  }

  private Wiring.World world() {
    return new Wiring.World(
        jobs,
        () -> new StageHealth("jobs", true, true, "in memory"),
        registry ->
            registry.gauge(
                "test.slow",
                slow,
                gauge -> {
                  gauge.work();
                  return 0;
                }),
        () -> {},
        calls,
        _ -> new SocketPeers.Peer(jobs.start("sshd"), 0),
        new OutsideVerticle.Kernel(new NoExecs(), new FakeProcesses(), _ -> false),
        TestNode.IS_OWN,
        () -> Set.of(TestNode.HERE),
        uid -> {
          slow.work();
          return "user" + uid;
        },
        new SettableAuditOnly(),
        Optional.empty());
  }

  private AgentConfig config() throws BadConfigException {
    return AgentConfigReader.read(
        ConfigFile.of(
            "agent.yaml",
            """
            run_directory: %1$s
            state_directory: %1$s
            audit_file: %1$s/audit.jsonl
            usage_file: %1$s/usage.jsonl
            metrics: %1$s/metrics.sock
            gateways: [127.0.0.1:1]
            """
                    .formatted(directory)
                + settings));
  }

  private Wiring started() throws BadConfigException {
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    var epoch = new NodeEpoch(TestNode.IDENTITY.node(), "boot", 7);
    var wiring =
        new Wiring(new Wiring.EventLoops(vertx, front, root), config(), epoch, "test", world());
    TestNode.await(wiring.start());
    return wiring;
  }

  private void stop(Wiring wiring) {
    TestNode.await(wiring.stop());
    TestNode.await(front.close());
    TestNode.await(root.close());
    TestNode.await(vertx.close());
  }

  @Test
  void aSlowPageOfMetricsKeepsNoLoginWaiting() throws IOException, BadConfigException {
    Wiring wiring = started();
    slow.armed = true;
    Thread reader = Thread.ofVirtual().start(() -> metrics("text/plain"));
    slow.meanwhile(() -> login(40_000));
    join(reader);
    stop(wiring);
  }

  @Test
  void aSlowCallOfAUserKeepsNoLoginWaiting() throws Exception {
    Wiring wiring = started();
    slow.armed = true;
    var client = VertxSettings.start(VertxSettings.quiet());
    var channel = new LocalChannel(directory.resolve("agent.sock"));
    var list =
        JobServiceGrpc.newFutureStub(channel)
            .list(ListRequest.newBuilder().setNode(TestNode.IDENTITY.node().text()).build());
    slow.meanwhile(() -> login(40_000));
    assertEquals(1, list.get(20, TimeUnit.SECONDS).getJobsCount());
    TestNode.await(client.close());
    stop(wiring);
  }

  /** As when the close of a descriptor that a user passed waits for that user. */
  @Test
  void aBlockedEventLoopOfUsersKeepsNoOrderOfRootWaiting() throws Exception {
    Wiring wiring = started();
    var held = new CountDownLatch(1);
    front.runOnContext(_ -> hold(held));
    var client = VertxSettings.start(VertxSettings.quiet());
    var channel = new LocalChannel(directory.resolve("root.sock"));
    var list =
        JobServiceGrpc.newFutureStub(channel)
            .list(ListRequest.newBuilder().setNode(TestNode.IDENTITY.node().text()).build());
    assertEquals(1, list.get(20, TimeUnit.SECONDS).getJobsCount());
    login(40_000);
    assertTrue(metrics("text/plain").contains("rollcall_"));
    TestNode.await(client.close());
    TestNode.await(wiring.stop());
    held.countDown();
    TestNode.await(front.close());
    TestNode.await(root.close());
    TestNode.await(vertx.close());
    assertEquals(1, adopted());
  }

  /** Sooner than the periodic check would. */
  @Test
  void theStartAndEachChangeOfAJobMakeTheFilesOfGpusTrue() throws Exception {
    Path gpus = Files.createDirectory(directory.resolve("gpus"));
    settings = "gpu_job_files_dcgm: " + gpus;
    Path stale = gpus.resolve("0");
    leave(stale);
    Wiring wiring = started();
    awaitEnd(stale);
    leave(stale);
    jobs.put(new Job(new JobId(99), 1, 1, TestNode.NOON, JobState.OPEN));
    awaitEnd(stale);
    stop(wiring);
  }

  /** Sooner than the periodic check would: that of no job loses its place then. */
  @Test
  void callsToServicesAreReadAsAJobBeginsToEnd() throws BadConfigException {
    settings = "job_metrics: jobs\nwatched_services: {license: 27000}";
    Wiring wiring = started();
    calls.counted(new PortCalls(new CgroupIds(5, 0), 27_000, 1));
    jobs.put(
        new Job(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.CLOSING));
    Eventually.await(
        Patience.ofSeconds(8),
        () -> calls.watchedCalls().orElseThrow().calls().isEmpty(),
        () -> "not read");
    stop(wiring);
  }

  /** As an agent that crashed leaves it: docs/job-metrics.md. */
  private static void leave(Path file) throws IOException {
    Files.writeString(file, "1\n");
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1, 726_726_726)));
  }

  private static void awaitEnd(Path file) {
    Eventually.await(Patience.ofSeconds(8), () -> !Files.exists(file), file::toString);
  }

  private static void hold(CountDownLatch held) {
    try {
      held.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private LoginReply login(int port) throws IOException {
    var login = ModuleRequest.login(TestNode.ALICE, TestNode.callFrom(TestNode.FAR, port));
    LoginReply reply = ModuleRequest.ask(directory.resolve("login.sock"), login);
    assertEquals(ReplyOutcome.REPLY_OUTCOME_ADOPTED, reply.getOutcome());
    return reply;
  }

  @Test
  void theLastReplyBeforeTheStopIsInTheAuditLog() throws IOException, BadConfigException {
    Wiring wiring = started();
    for (int i = 0; i < LOGINS; i++) {
      login(40_000 + i);
    }
    stop(wiring);
    assertEquals(LOGINS, adopted());
  }

  @Test
  void theMetricsNameTheLastDecisionToWhoAsksInOpenMetrics()
      throws IOException, BadConfigException {
    Wiring wiring = started();
    String decision = login(40_000).getAdoptionId();
    var counted =
        Pattern.compile(
            "(?m)^rollcall_adopt_sessions_total\\{outcome=\"adopted\"} 1\\.0 # \\{decision_id=\""
                + decision
                + "\"} 1\\.0 [0-9.]+$");
    Eventually.await(
        Patience.ofSeconds(10),
        () -> counted.matcher(metrics("application/openmetrics-text")).find(),
        () -> metrics("application/openmetrics-text"));
    var timed =
        Pattern.compile(
            "(?m)^rollcall_adopt_sessions_time_seconds_bucket\\{le=\"[0-9.]+\"} 1 #"
                + " \\{decision_id=\""
                + decision
                + "\"} [0-9.E-]+ [0-9.]+$");
    String page = metrics("application/openmetrics-text");
    assertEquals(1, timed.matcher(page).results().count(), page);
    assertFalse(metrics("text/plain").contains(decision));
    stop(wiring);
  }

  @Test
  void nothingThatUsersNameOrNumberMakesASeriesOfMetrics() throws Exception {
    Wiring wiring = started();
    var client = VertxSettings.start(VertxSettings.quiet());
    var channel = new LocalChannel(directory.resolve("agent.sock"));
    stranger(channel, 0);
    Set<String> before = series();
    for (int i = 1; i <= STRANGERS; i++) {
      stranger(channel, i);
    }
    assertEquals(before, series());
    assertEquals(Set.of(), series("visitor"));
    TestNode.await(client.close());
    stop(wiring);
  }

  /** Comes, asks and is refused with names and numbers that nobody else has. */
  private void stranger(LocalChannel channel, int number) throws Exception {
    String name = "visitor" + number;
    int uid = 60_000 + number;
    jobs.put(new Job(new JobId(100 + number), uid, uid, TestNode.NOON, JobState.OPEN));
    var program = jobs.start(name);
    var far =
        Connection.tcp(
            new Endpoint(TestNode.HERE, 42_000 + number), new Endpoint(TestNode.FAR, 22));
    calls.call(new SeenCall(far, program.ref(), uid, jobs.cgroupsOf(program.ref()), TestNode.NOON));
    calls.withdraw(far);
    Path loginSocket = directory.resolve("login.sock");
    Connection call = TestNode.callFrom(TestNode.FAR, 42_000 + number);
    for (int who : List.of(uid, uid + STRANGERS * 10)) {
      var login = ModuleRequest.login(who, call).setUser(name).setService(name).setTty(name);
      var _ = ModuleRequest.ask(loginSocket, login);
      var _ = ModuleRequest.ask(loginSocket, login.setVersion(1_000 + number));
    }
    Status refused =
        Status.fromThrowable(
            assertThrows(
                StatusRuntimeException.class,
                () ->
                    ClientCalls.blockingUnaryCall(
                        channel.newCall(unknownMethod(name), CallOptions.DEFAULT),
                        ListRequest.getDefaultInstance())));
    assertEquals(Status.Code.UNIMPLEMENTED, refused.getCode());
  }

  private static MethodDescriptor<ListRequest, ListResponse> unknownMethod(String name) {
    return JobServiceGrpc.getListMethod().toBuilder()
        .setFullMethodName(MethodDescriptor.generateFullMethodName("rollcall.v1.JobService", name))
        .build();
  }

  private Set<String> series() {
    return series("rollcall_");
  }

  /** Names and labels, of those with this text in them. */
  private Set<String> series(String text) {
    return metrics("text/plain")
        .lines()
        .filter(line -> !line.startsWith("#") && line.contains(text))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theHealthHasTheResultOfTheCheckOfTheJobs() throws BadConfigException {
    Wiring wiring = started();
    wiring.checkJobs();
    Eventually.await(
        Patience.ofSeconds(10),
        () -> page("/health/ready", "*/*").contains("in memory"),
        () -> page("/health/ready", "*/*"));
    stop(wiring);
  }

  private String metrics(String accepted) {
    return page("/metrics", accepted);
  }

  private String page(String path, String accepted) {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(directory.resolve("metrics.sock")));
      channel.write(
          ByteBuffer.wrap(
              "GET %s HTTP/1.1\r\nhost: node\r\naccept: %s\r\nconnection: close\r\n\r\n"
                  .formatted(path, accepted)
                  .getBytes(US_ASCII)));
      return new String(Channels.newInputStream(channel).readAllBytes(), US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long adopted() throws IOException {
    return Files.readAllLines(directory.resolve("audit.jsonl")).stream()
        .map(JsonObject::new)
        .filter(line -> "adopted".equals(line.getString("decision")))
        .count();
  }
}
