package dev.rollcall.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A gateway on loopback, with its roll in memory, in a JVM of its own that has an eighth of the
 * shipped one's heap (see the launcher) and ends when that is full.
 */
final class SmallGateway implements AutoCloseable {
  private final Process process;
  final int port;

  private SmallGateway(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static SmallGateway start() throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                SmallGateway.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    int port = Integer.parseInt(String.valueOf(lines.readLine()));
    // Whatever its JVM says of its end.
    Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(System.err::println));
    return new SmallGateway(process, port);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    try {
      process.outputWriter().close();
      process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Ends when its standard input does, so that it never outlives a test. */
  public static void main(String[] args) throws IOException {
    try (var gateways = new TestGateways(TestGateways.World.MEMORY, 1)) {
      System.out.println(gateways.gateway(0).port());
      while (System.in.read() >= 0) {
        // Nothing is said; the end of input is the end.
      }
    }
    System.exit(0);
  }
}
