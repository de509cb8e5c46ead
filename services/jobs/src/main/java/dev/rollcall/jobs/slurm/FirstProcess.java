package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Has the step daemon take a process of the agent's that ends at once. The daemon of 26.05 makes
 * the cgroups of sessions with the first of them: now the first login finds them.
 */
final class FirstProcess {
  private static final System.Logger LOG = System.getLogger(FirstProcess.class.getName());
  private static final String LONGEST_SECONDS = "20";

  private FirstProcess() {}

  /** May wait this long. Without success the first session makes them. */
  static void give(SlurmJob job, Path socket, Duration within) {
    try {
      Process process = new ProcessBuilder("sleep", LONGEST_SECONDS).start();
      try (StepDaemon daemon = StepDaemon.greet(socket, within)) {
        daemon.add(Math.toIntExact(process.pid()));
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot make or read the cgroups of sessions of job {0}: {1}",
          job.id(),
          e.getMessage());
    }
  }
}
