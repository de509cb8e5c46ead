package dev.rollcall.wire.grpc;

import dev.rollcall.wire.log.LogLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A fuzzed server in a JVM of its own, which ends when it is out of memory. */
public final class SmallJvm implements AutoCloseable {
  private static final String ANEW = "anew";
  private static final String HELD = "held";
  private static final long PATIENCE_SECONDS = 30;

  private final Process process;
  private final PrintStream ask;
  private final BufferedReader lines;
  final String address;

  private SmallJvm(Process process) throws IOException {
    this.process = process;
    ask = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    lines = process.inputReader(StandardCharsets.UTF_8);
    address = line();
  }

  /**
   * @param main has a method {@code main} that calls {@link #serve}
   * @param flags of the launcher that are about memory
   */
  static SmallJvm start(Class<?> main, String... flags) throws IOException {
    var argv = new ArrayList<String>();
    argv.add(ProcessHandle.current().info().command().orElseThrow());
    argv.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"));
    argv.addAll(List.of(flags));
    argv.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    argv.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    argv.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return new SmallJvm(
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
  public void close() {
    ask.close();
    try {
      var _ = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Does what its parent asks, until the parent ends or has enough.
   *
   * @param address a path of a unix socket, or a port
   */
  public static void serve(String address, Runnable anew, LongSupplier held) throws IOException {
    LogLine.begin();
    System.out.println(address);
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(ANEW)) {
          anew.run();
        } else {
          System.out.println(held.getAsLong());
        }
      }
    }
  }
}
