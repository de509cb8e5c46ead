package dev.rollcall.agent.login.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.rollcall.model.JobId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Processes that log in by the PAM module's own code: {@code services/pam/tests/login_race.c}. */
final class RacingLogins implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Process process;
  private final BufferedWriter starts;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader;

  /**
   * @param run the directory above that of the login files
   */
  RacingLogins(Path run, int uid) throws IOException, InterruptedException {
    process =
        new ProcessBuilder(
                PamProgram.built("login_race").toString(),
                run.toString(),
                Integer.toUnsignedString(uid))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    starts = process.outputWriter(US_ASCII);
    reader =
        Thread.ofPlatform()
            .daemon()
            .start(() -> process.inputReader(US_ASCII).lines().forEach(lines::add));
  }

  /** What became of a login: a word, and the module's reason. */
  record Outcome(String word, String reason) {
    boolean joined() {
      return word.equals("joined");
    }
  }

  /**
   * Starts a login that goes to work after so many microseconds; its pid.
   *
   * @param decided the job on which an agent has decided; without one the files decide
   */
  int start(long microseconds, Optional<JobId> decided) throws IOException, InterruptedException {
    starts.write(microseconds + " " + decided.map(JobId::number).orElse(0L) + "\n");
    starts.flush();
    String[] started = next(LONG).orElseThrow().split(" ", 2);
    if (!started[1].equals("started")) {
      throw new IOException("login_race: " + String.join(" ", started));
    }
    return Integer.parseInt(started[0]);
  }

  /**
   * What became of the login that was started last; empty if it has not said so within the time.
   */
  Optional<Outcome> outcome(Duration within) throws InterruptedException {
    return next(within)
        .map(line -> {
          String[] words = line.split(" ", 3);
          return new Outcome(words[1], words.length > 2 ? words[2] : "");
        });
  }

  Outcome outcome() throws InterruptedException {
    return outcome(LONG).orElseThrow();
  }

  private Optional<String> next(Duration within) throws InterruptedException {
    return Optional.ofNullable(lines.poll(within.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public void close() throws IOException {
    starts.close();
    process.onExit().join();
    requireNonNull(reader).interrupt();
  }
}
