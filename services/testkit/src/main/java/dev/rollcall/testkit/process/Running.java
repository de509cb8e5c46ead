package dev.rollcall.testkit.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command that was started and may still run. Its output is read as it comes. */
public final class Running {
  private final List<String> argv;
  private final Process process;
  private final ByteArrayOutputStream outSoFar = new ByteArrayOutputStream();
  private final CompletableFuture<String> out;
  private final CompletableFuture<String> err;
  private final long startedNanos = System.nanoTime();

  private Running(List<String> argv, Process process) {
    this.argv = argv;
    this.process = process;
    this.out = read(process.getInputStream(), outSoFar);
    this.err = read(process.getErrorStream(), new ByteArrayOutputStream());
  }

  /** Starts a command on this machine, outside every cluster. */
  public static Running start(List<String> argv) {
    try {
      Process process = new ProcessBuilder(argv).start();
      process.getOutputStream().close();
      return new Running(argv, process);
    } catch (IOException e) {
      throw new RigException("cannot start " + argv, e);
    }
  }

  private static CompletableFuture<String> read(InputStream stream, ByteArrayOutputStream into) {
    var text = new CompletableFuture<String>();
    // Not a virtual one: a read of a pipe keeps its carrier, and a few commands that say nothing
    // for long would keep all of them.
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (stream) {
            stream.transferTo(into);
            text.complete(into.toString(StandardCharsets.UTF_8));
          } catch (IOException e) {
            text.completeExceptionally(e);
          }
        });
    return text;
  }

  /** The pid of the command itself: what starts it in a node replaces itself by it. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it wrote to standard output until now. */
  public String outSoFar() {
    return outSoFar.toString(StandardCharsets.UTF_8);
  }

  /** Waits until its output has this text; at the deadline, or if it ends before, this throws. */
  public void awaitOutput(String text, Duration deadline) {
    Eventually.await(
        deadline,
        () -> outSoFar().contains(text) || !isAlive(),
        () -> "'%s' was not said by %s".formatted(text, argv));
    if (!outSoFar().contains(text)) {
      throw new RigException(
          "%s ended without saying '%s': %s".formatted(argv, text, await(deadline)));
    }
  }

  /** The same, with the rest of the line: what a program writes may come in pieces. */
  public void awaitLine(String text, Duration deadline) {
    awaitOutput(text, deadline);
    Eventually.await(
        deadline,
        () -> {
          String said = outSoFar();
          return said.indexOf('\n', said.indexOf(text)) > 0 || !isAlive();
        },
        () -> "the line with '%s' of %s has no end: %s".formatted(text, argv, outSoFar()));
  }

  /** Waits for the end; at the deadline it is killed with what it started, and this throws. */
  public Result await(Duration deadline) {
    try {
      if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
        throw new RigException("not over after " + deadline.toMillis() + " ms: " + argv);
      }
      long millis = (System.nanoTime() - startedNanos) / 1_000_000;
      return new Result(
          out.get(5, TimeUnit.SECONDS), err.get(5, TimeUnit.SECONDS), process.exitValue(), millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      kill();
      throw new RigException("interrupted while waiting for " + argv, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new RigException("cannot read the output of " + argv, e);
    }
  }

  /** Kills it, if it still runs, and what it started and did not end. */
  public void kill() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  public static Result run(Duration deadline, List<String> argv) {
    return start(argv).await(deadline);
  }
}
