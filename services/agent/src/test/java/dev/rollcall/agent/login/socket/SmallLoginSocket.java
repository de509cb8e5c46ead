package dev.rollcall.agent.login.socket;

import dev.rollcall.agent.TestNode;
import dev.rollcall.linux.net.UnixListener;
import dev.rollcall.model.JobState;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The login socket of a node in a JVM of its own, which has few descriptors and can use all. */
final class SmallLoginSocket implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SmallLoginSocket.class.getName());
  private static final int DESCRIPTORS = 400;

  private final Process process;
  private final BufferedReader lines;
  final Path socket;

  private SmallLoginSocket(Process process) throws IOException {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
    this.socket = Path.of(String.valueOf(lines.readLine()));
  }

  /**
   * @param log gets what it logs
   */
  static SmallLoginSocket start(Path log) throws IOException {
    var argv = new ArrayList<>(List.of("prlimit", "--nofile=" + DESCRIPTORS));
    argv.add(ProcessHandle.current().info().command().orElseThrow());
    argv.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx48m", "-XX:-MaxFDLimit"));
    argv.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    argv.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    argv.addAll(
        List.of("-cp", System.getProperty("java.class.path"), SmallLoginSocket.class.getName()));
    return new SmallLoginSocket(new ProcessBuilder(argv).redirectError(log.toFile()).start());
  }

  /** Takes all descriptors that are left; how many those were. */
  int fill() throws IOException {
    return order("fill");
  }

  void free() throws IOException {
    var _ = order("free");
  }

  /** How often nobody could be accepted. */
  int notAccepted() throws IOException {
    return order("faults");
  }

  private int order(String order) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(order).append('\n').flush();
    return Integer.parseInt(String.valueOf(lines.readLine()));
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
    var taken = new ArrayList<FileInputStream>();
    try (var node = new TestNode().withStages().withLoginSocket()) {
      node.job(TestNode.OLDER, TestNode.ALICE, JobState.OPEN, 0);
      failOnce(node.directory.resolve("absent/socket"));
      System.out.println(node.loginSocket());
      var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        System.out.println(carriedOut(order, node, taken));
      }
      var _ = carriedOut("free", node, taken);
    }
    System.exit(0);
  }

  /** Loads the classes of a failed call and of the log: without a descriptor none can be read. */
  private static void failOnce(Path absent) {
    try (var open = UnixListener.open(absent, 1)) {
      throw new AssertionError("open: " + open.descriptor());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.INFO, "as expected: {0}", e.getMessage());
    }
  }

  private static int carriedOut(String order, TestNode node, List<FileInputStream> taken)
      throws IOException {
    switch (order) {
      case "fill" -> {
        try {
          while (taken.size() < DESCRIPTORS) {
            taken.add(new FileInputStream("/dev/null"));
          }
        } catch (FileNotFoundException full) {
          System.err.println("as expected: " + full.getMessage());
        }
      }
      case "free" -> {
        for (FileInputStream each : taken) {
          each.close();
        }
      }
      default -> {
        return (int)
            node.registry
                .get("rollcall.login.socket.failures")
                .tag("reason", "not-accepted")
                .counter()
                .count();
      }
    }
    return taken.size();
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    System.exit(1);
  }
}
