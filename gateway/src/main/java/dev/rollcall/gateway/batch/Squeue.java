package dev.rollcall.gateway.batch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs Slurm's squeue without a shell; its environment has only the variables that find programs
 * and slurm.conf. It ends within its deadline, whatever it does. One run at a time.
 */
public final class Squeue {
  public static final Duration DEADLINE = Duration.ofSeconds(10);
  public static final long MOST_BYTES = 512L << 20;

  /** From the program's end until what it wrote is read. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private static final int MOST_COMPLAINT = 1_024;
  private static final List<String> ENVIRONMENT = List.of("PATH", "SLURM_CONF");
  private static final String USUAL_PATH = "/usr/bin:/bin";

  private final Path program;
  private final Duration deadline;
  private final long mostBytes;
  private CompletableFuture<SqueueAnswer> output = CompletableFuture.completedFuture(held());
  private CompletableFuture<String> complaint = CompletableFuture.completedFuture("");

  public Squeue(Path program, Duration deadline, long mostBytes) {
    this.program = program;
    this.deadline = deadline;
    this.mostBytes = mostBytes;
  }

  /** Blocks, for the deadline and a little at most. */
  public SqueueAnswer ask() throws InterruptedException {
    if (!output.isDone() || !complaint.isDone()) {
      return held(); // a run more would leave a reader more
    }
    Process process;
    try {
      process = start();
    } catch (IOException e) {
      return new SqueueAnswer.Failed("start", String.valueOf(e.getMessage()));
    }
    try {
      return answer(process);
    } finally {
      kill(process);
    }
  }

  private Process start() throws IOException {
    var builder =
        new ProcessBuilder(program.toString(), "--json")
            .directory(Path.of("/").toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(ENVIRONMENT);
    environment.putIfAbsent("PATH", USUAL_PATH);
    return builder.start();
  }

  private SqueueAnswer answer(Process process) throws InterruptedException {
    output = inParallel(() -> read(process.getInputStream()));
    complaint = inParallel(() -> firstLine(process.getErrorStream()));
    if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
      return new SqueueAnswer.Failed(
          "deadline", "it did not end within " + deadline.toMillis() + " ms");
    }
    SqueueAnswer answer = lastWords(output, held());
    boolean said = answer instanceof SqueueAnswer.Told || isNoJson(answer);
    return said && process.exitValue() != 0
        ? exited(process.exitValue(), lastWords(complaint, ""))
        : answer;
  }

  private static boolean isNoJson(SqueueAnswer answer) {
    return answer instanceof SqueueAnswer.Failed(String kind, _) && kind.equals("json");
  }

  private static SqueueAnswer.Failed exited(int code, String complaint) {
    return new SqueueAnswer.Failed(
        "exit " + code, "it exited with " + code + (complaint.isEmpty() ? "" : ": " + complaint));
  }

  private static SqueueAnswer held() {
    return new SqueueAnswer.Failed(
        "held", "it ended, but a process that it started keeps its output open");
  }

  private static <T> CompletableFuture<T> inParallel(Supplier<T> work) {
    return CompletableFuture.supplyAsync(
        work, task -> Thread.ofVirtual().name("squeue-output").start(task));
  }

  private static <T> T lastWords(CompletableFuture<T> words, T otherwise) {
    return words
        .copy()
        .completeOnTimeout(otherwise, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  /** To the end, so that the program ends in its own way. */
  private SqueueAnswer read(InputStream from) {
    try (var bounded = new BoundedInput(from, mostBytes)) {
      SqueueAnswer answer = parse(bounded);
      bounded.transferTo(OutputStream.nullOutputStream());
      return answer;
    } catch (BoundedInput.TooLongException e) {
      return new SqueueAnswer.Failed("long", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new SqueueAnswer.Failed("json", "its output cannot be read: " + e.getMessage());
    }
  }

  private static SqueueAnswer parse(BoundedInput from) throws BoundedInput.TooLongException {
    try {
      return new SqueueAnswer.Told(SqueueJson.read(from, Clock.systemUTC().instant()));
    } catch (BoundedInput.TooLongException e) {
      throw e;
    } catch (IOException e) {
      return new SqueueAnswer.Failed("json", "its output: " + e.getMessage());
    }
  }

  private static String firstLine(InputStream from) {
    try (from) {
      String first = new String(from.readNBytes(MOST_COMPLAINT), StandardCharsets.UTF_8);
      from.transferTo(OutputStream.nullOutputStream());
      return first.strip().lines().findFirst().orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static void kill(Process process) {
    if (process.isAlive()) {
      List<ProcessHandle> started = process.descendants().toList();
      process.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
