package dev.rollcall.agent.account;

import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.lines.LineMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Carries the lines of a spool in a JVM of its own, with the shipped agent's memory (see the
 * launcher).
 */
final class SmallUsageFile {
  private SmallUsageFile() {}

  /**
   * Starts it.
   *
   * @param file cannot be written at first
   */
  static Process start(Path file, Path stateDirectory) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xms6m",
            "-Xmx48m",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            SmallUsageFile.class.getName(),
            file.toString(),
            stateDirectory.toString())
        .inheritIO()
        .start();
  }

  /** Ends when no line waits. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    Files.createDirectories(file);
    var registry = new SimpleMeterRegistry();
    var meters = LineMeters.of(registry, "file");
    try (var _ = new UsageFile(file, Path.of(args[1]), meters, Duration.ofMillis(20))) {
      Await.until("it is tried again", () -> meters.failures().count() > 2);
      Files.delete(file);
      Await.until("all are written", () -> meters.waiting().get() == 0);
    }
  }
}
