package dev.rollcall.jobs.program;

import dev.rollcall.linux.cgroup.BoundedWait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of the site as root, with the given variables and PATH only. */
public final class SiteProgram {
  /** A pipe takes 64 KiB meanwhile. */
  private static final Duration BETWEEN_READS = Duration.ofMillis(20);

  /** For the last words of a program that ended. */
  private static final Duration TO_READ = Duration.ofMillis(200);

  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private SiteProgram() {}

  /**
   * Runs it to its end. It is killed, with its children, when its time is over or this thread is
   * interrupted.
   *
   * @return the end of its output, at most 4,096 characters
   * @throws IOException naming it, if it cannot be run, does not end in time or ends with another
   *     status than 0; then with the end of its output
   */
  public static String run(Path program, Map<String, String> variables, Duration most)
      throws IOException {
    try (var output = new ProgramOutput(program)) {
      Process process = started(program, variables, output);
      try {
        return ended(process, output, program, most);
      } catch (InterruptedException e) {
        kill(process);
        Thread.currentThread().interrupt();
        throw new IOException(program + ": the agent stops", e);
      }
    }
  }

  private static Process started(Path program, Map<String, String> variables, ProgramOutput output)
      throws IOException {
    var builder =
        new ProcessBuilder(program.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.file());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", PATH);
    environment.putAll(variables);
    Process process = builder.start();
    output.begun();
    process.getOutputStream().close();
    return process;
  }

  private static String ended(Process process, ProgramOutput output, Path program, Duration most)
      throws IOException, InterruptedException {
    BoundedWait patience = BoundedWait.of(most);
    while (!process.waitFor(BETWEEN_READS.toMillis(), TimeUnit.MILLISECONDS)) {
      output.drain();
      if (patience.left().isZero()) {
        kill(process);
        throw new IOException(program + " did not end within " + words(most));
      }
    }
    BoundedWait more = BoundedWait.of(TO_READ);
    while (!output.drain() && more.pause()) {}
    String text = output.text();
    if (process.exitValue() != 0) {
      String said = text.isEmpty() ? "" : ": " + text;
      throw new IOException(program + " ended with status " + process.exitValue() + said);
    }
    return text;
  }

  private static String words(Duration most) {
    return most.toMillisPart() == 0 ? most.toSeconds() + " s" : most.toMillis() + " ms";
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
