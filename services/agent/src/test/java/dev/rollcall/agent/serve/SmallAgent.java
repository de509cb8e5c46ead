package dev.rollcall.agent.serve;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.GatewayState;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.memory.MemoryBudget;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The public services of a node in a JVM of its own, with the shipped agent's memory (see the
 * launcher). Each of some users has a job with many processes there.
 */
final class SmallAgent implements AutoCloseable {
  static final int USERS = 3;
  static final int FIRST_UID = 5_001;
  static final int FIRST_JOB = 51;

  /** Who may use gRPC, by a name that this machine does not know, and by a number. */
  static final int LISTED = 5_100;

  private static final int PROCESSES = 10_000;

  private final Process process;
  private final BufferedReader lines;
  final Path socket;

  private SmallAgent(Process process) throws IOException {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
    this.socket = Path.of(String.valueOf(lines.readLine()));
  }

  static SmallAgent start() throws IOException {
    var argv = new ArrayList<String>();
    argv.add(ProcessHandle.current().info().command().orElseThrow());
    argv.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xms6m", "-Xmx48m", "-Xss256k"));
    argv.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Dio.netty.allocator.type=unpooled"));
    argv.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    argv.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    argv.addAll(List.of("-cp", System.getProperty("java.class.path"), SmallAgent.class.getName()));
    return new SmallAgent(
        new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Bytes that all peers hold. */
  long held() throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append("held\n").flush();
    return Long.parseLong(String.valueOf(lines.readLine()));
  }

  @Override
  public void close() throws IOException {
    try {
      process.outputWriter().close();
      process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Ends when its standard input does, so that it never outlives a test. */
  public static void main(String[] args) throws IOException {
    Thread.currentThread().setUncaughtExceptionHandler((_, e) -> fail(e));
    try (var node = new TestNode().withStages()) {
      Files.setPosixFilePermissions(node.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      MemoryBudget memory = PeerBounds.agentMemory(node.registry);
      serve(node, memory);
      System.out.println(node.directory.resolve("agent.sock"));
      var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (orders.readLine() != null) {
        System.out.println(memory.held());
      }
    }
    System.exit(0);
  }

  private static void serve(TestNode node, MemoryBudget memory) {
    for (int i = 0; i < USERS; i++) {
      var job = new JobId(FIRST_JOB + i);
      node.job(job, FIRST_UID + i, JobState.OPEN, 0);
      for (int each = 0; each < PROCESSES; each++) {
        node.jobs.enter(node.jobs.start("fifteen letters"), new JobStep(job, StepId.of(0)));
      }
    }
    node.bus.answer(
        Queries.GATEWAY_STATE,
        _ -> Future.succeededFuture(new GatewayState.Absent("there is no gateway")));
    node.deploy(
        new ServeVerticle(
            node.bus,
            ServedSocket.ofUsers(
                node.directory,
                new GrpcUsers(
                    List.of("no-such-user", Integer.toString(LISTED)),
                    _ -> OptionalInt.empty(),
                    node.registry)),
            node.jobs,
            TestNode.IDENTITY.node(),
            uid -> "user" + uid,
            Duration.ofSeconds(7),
            EnvironmentAllowList.DEFAULTS,
            node.users,
            UserMoves.FROM_NO_JOB,
            node.workers,
            TestNode.IS_OWN,
            memory,
            node.registry));
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    System.exit(1);
  }
}
