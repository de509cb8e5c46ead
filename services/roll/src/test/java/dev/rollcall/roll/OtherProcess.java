package dev.rollcall.roll;

import dev.rollcall.model.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A member in a process of its own, which can be made to hang as a whole. */
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final Endpoint listening;

  private OtherProcess(Process process, Endpoint listening) {
    this.process = process;
    this.listening = listening;
  }

  /** Takes cluster and gateway; prints where it listens; lives until its input ends. */
  public static void main(String[] args) throws IOException {
    var listen = Endpoint.parse("127.0.0.1:0");
    var config = new GridConfig(args[0], args[1], listen, List.of(Members.LATER_ONES), false);
    try (Grid grid = Grid.start(config)) {
      System.out.println(grid.listening());
      while (System.in.read() >= 0) {}
    }
  }

  static OtherProcess start(String cluster, String gateway) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                cluster,
                gateway)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the other member did not start: exit " + process.exitValue());
    }
    return new OtherProcess(process, Endpoint.parse(line));
  }

  Endpoint listening() {
    return listening;
  }

  /**
   * As a machine that swaps, or a virtual one that is paused: connections stay, nothing answers.
   */
  void hang() throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).inheritIO().start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("cannot stop process " + process.pid());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
