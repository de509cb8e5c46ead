package dev.rollcall.cli.ask;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command that may take so long and no longer. */
public final class TimeLimit {
  private static final int LONGEST_ERROR = 300;

  private TimeLimit() {}

  /**
   * What it wrote on standard output.
   *
   * @throws IOException if it failed or was not over in time, with what it said last
   */
  public static String run(List<String> words, Duration within) throws IOException {
    return run(new ProcessBuilder(words), within);
  }

  /** The same, with another standard input. */
  public static String run(ProcessBuilder command, Duration within) throws IOException {
    Process process = command.start();
    process.getOutputStream().close();
    Future<String> out = read(process.getInputStream());
    Future<String> err = read(process.getErrorStream());
    try {
      if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new IOException(
            "not over after " + within.toSeconds() + " s: " + command.command().getFirst());
      }
      String said = out.get(within.toMillis(), TimeUnit.MILLISECONDS);
      if (process.exitValue() != 0) {
        String last = err.get(within.toMillis(), TimeUnit.MILLISECONDS).strip();
        throw new IOException(
            "status "
                + process.exitValue()
                + ": "
                + last.substring(Math.max(0, last.length() - LONGEST_ERROR)));
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      throw new IOException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("cannot read its output: " + e.getMessage(), e);
    }
  }

  private static Future<String> read(InputStream stream) {
    var text =
        new FutureTask<>(() -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          }
        });
    Thread.ofVirtual().start(text);
    return text;
  }
}
