package dev.rollcall.agent.login.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.audit.AuditVerticle;
import dev.rollcall.wire.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An agent that reads the log of logins, in a process of its own that can be killed. */
final class ReadingAgent implements AutoCloseable {
  private final Process process;

  private ReadingAgent(Process process) {
    this.process = process;
  }

  /**
   * @param run where the agent has its files
   */
  static ReadingAgent start(Path run) throws IOException {
    List<String> argv =
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx96m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.io.tmpdir=" + run,
            "-cp",
            System.getProperty("java.class.path"),
            ReadingAgent.class.getName(),
            run.toString());
    return new ReadingAgent(
        new ProcessBuilder(argv).redirectError(run.resolve("agent.log").toFile()).start());
  }

  static Path directory(Path run) {
    return run.resolve("login");
  }

  static Path audit(Path run) {
    return run.resolve("audit.jsonl");
  }

  /** Waits until it reads. */
  void awaitReading() throws IOException {
    String said = process.inputReader(UTF_8).readLine();
    if (!"reads".equals(said)) {
      throw new IOException("the agent said " + said);
    }
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    kill();
  }

  /** Ends when its standard input does, so that it never outlives a test. */
  public static void main(String[] args) throws IOException {
    Path run = Path.of(args[0]);
    var node = new TestNode().withStages();
    node.twoJobsOfAlice();
    node.deploy(
        new AuditVerticle(
            node.bus,
            node.beat,
            audit(run),
            new AuditLog.Writer("agent", "node2", "9.9"),
            uid -> "user" + uid,
            uid -> uid,
            node.registry));
    node.deploy(
        new LoginLogVerticle(
            node.bus,
            directory(run),
            Records.BOOT,
            audit(run),
            node.vertx.createSharedWorkerExecutor("login-log", 1),
            node.registry));
    System.out.println("reads");
    var _ = System.in.read();
    System.exit(0);
  }
}
