package dev.rollcall.jobs.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the data besides cgroups that a job's sessions need of its step daemon. It does not change
 * after the step's start.
 *
 * @param release of the daemon, as {@link StepDaemon#release}
 * @param display whether the job forwards X11
 * @param namespaces whether the job has a container
 */
record StepExtras(int release, boolean display, boolean namespaces) {
  /** 22.05 and 26.05: what is known of the layouts is known of these. */
  private static final int FIRST = 38;

  private static final int LAST = StepDaemon.OFFERED >> 8;

  /** 24.11: until then a daemon has a process of its own in the extern step. */
  private static final int LAST_WITH_PROCESS = 42;

  /** Empty if the daemon does not answer. */
  static Optional<StepExtras> ask(Path socket, Duration within) {
    try (StepDaemon daemon = StepDaemon.greet(socket, within)) {
      boolean display = daemon.display().number() > 0;
      try (var namespaces = new StepNamespaces(Map.of())) {
        daemon.namespaces(namespaces);
        return Optional.of(new StepExtras(daemon.release(), display, !namespaces.isEmpty()));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether sessions need nothing, of a release that is known. */
  boolean none() {
    return isKnownRelease() && !display && !namespaces;
  }

  /**
   * Whether the daemon makes the cgroups of sessions with the first process that it is given, and
   * sessions need nothing else.
   */
  boolean needsFirstProcess() {
    return none() && release > LAST_WITH_PROCESS;
  }

  boolean isKnownRelease() {
    return FIRST <= release && release <= LAST;
  }

  /** For the log, of a release that is not known. */
  String unknownRelease() {
    return ("step daemons answer protocol version %d.0; known are %d.0 (Slurm 22.05) to %d.0 (26.05):"
            + " no login into their jobs is decided by files, each asks the agent and the daemon")
        .formatted(release, FIRST, LAST);
  }
}
