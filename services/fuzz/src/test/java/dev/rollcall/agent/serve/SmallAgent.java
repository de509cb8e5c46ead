package dev.rollcall.agent.serve;

import dev.rollcall.wire.log.LogLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@link FuzzedAgent} in a JVM of its own, with the shipped agent's memory (see the launcher).
 */
final class SmallAgent implements AutoCloseable {
  private static final String ANEW = "anew";
  private static final String HELD = "held";
  private static final long PATIENCE_SECONDS = 30;

  private final Process process;
  private final PrintStream ask;
  private final BufferedReader lines;
  final Path socket;

  private SmallAgent(Process process) throws IOException {
    this.process = process;
    ask = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    lines = process.inputReader(StandardCharsets.UTF_8);
    socket = Path.of(line());
  }

  static SmallAgent start() throws IOException {
    var argv = new ArrayList<String>();
    argv.add(ProcessHandle.current().info().command().orElseThrow());
    argv.addAll(List.of("-XX:+UseSerialGC", "-Xms6m", "-Xmx48m", "-Xss256k"));
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

  /** As it was at first, whatever was asked of it. */
  void anew() {
    ask.println(ANEW);
  }

  /** Bytes that its peers hold. */
  long held() {
    ask.println(HELD);
    try {
      return Long.parseLong(line());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String line() throws IOException {
    return String.valueOf(lines.readLine());
  }

  /** Ends it, as it ends by itself when its standard input does. */
  @Override
  public void close() throws IOException {
    ask.close();
    try {
      var _ = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }

  public static void main(String[] args) throws IOException {
    LogLine.begin();
    try (var agent = new FuzzedAgent();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(agent.socket);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(ANEW)) {
          agent.anew();
        } else {
          System.out.println(agent.memory.held());
        }
      }
    }
  }
}
