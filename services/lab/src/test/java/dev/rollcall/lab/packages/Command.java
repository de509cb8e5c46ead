package dev.rollcall.lab.packages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs that read and make packages, each for a bounded time. */
final class Command {
  private static final long PATIENCE_MINUTES = 8;

  /** What was said, on both streams, and the exit status. */
  record Ran(int status, String said) {
    String orThrow(List<String> command) {
      if (status != 0) {
        throw new AssertionError(String.join(" ", command) + " ended with " + status + ": " + said);
      }
      return said;
    }
  }

  private Command() {}

  /** What it says; it has to end with 0. */
  static String say(String... command) {
    return run(Path.of("."), Map.of(), command).orThrow(List.of(command));
  }

  static Ran run(Path folder, Map<String, String> environment, String... command) {
    try {
      var builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.redirectErrorStream(true).environment().putAll(environment);
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      Process process = builder.start();
      process.getOutputStream().close();
      var end = Thread.ofVirtual().start(() -> endLate(process));
      try (var output = process.inputReader()) {
        String said = output.readAllAsString();
        int status = process.waitFor();
        end.interrupt();
        return new Ran(status, said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static void endLate(Process process) {
    try {
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      // It has ended by itself.
    }
  }
}
