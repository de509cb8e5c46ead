package dev.rollcall.cli.ask;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a command with a time limit, and reads at most 1 MiB of its output. */
public final class TimeLimit {
  private static final int LONGEST_ERROR = 300;
  private static final int MOST_BYTES = 1 << 20;

  private TimeLimit() {}

  /**
   * What it wrote on standard output.
   *
   * @throws IOException if it failed, was not over in time or wrote more, with what it said last
   */
  public static String run(List<String> words, Duration within) throws IOException {
    return run(new ProcessBuilder(words), within);
  }

  /** The same, with another standard input. */
  public static String run(ProcessBuilder command, Duration within) throws IOException {
    Process process = command.start();
    process.getOutputStream().close();
    Future<String> out = read(process, process.getInputStream());
    Future<String> err = read(process, process.getErrorStream());
    try {
      if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
        end(process);
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
    } catch (ExecutionException e) {
      String why = Optional.ofNullable(e.getCause()).map(Throwable::getMessage).orElse("");
      throw new IOException("cannot read its output: " + why, e);
    } catch (TimeoutException e) {
      throw new IOException("its output did not end: " + command.command().getFirst(), e);
    }
  }

  private static Future<String> read(Process process, InputStream stream) {
    var text =
        new FutureTask<>(() -> {
          try (stream) {
            byte[] read = stream.readNBytes(MOST_BYTES + 1);
            if (read.length > MOST_BYTES) {
              end(process);
              throw new IOException("more than " + MOST_BYTES + " bytes");
            }
            return new String(read, StandardCharsets.UTF_8);
          }
        });
    Thread.ofVirtual().start(text);
    return text;
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
