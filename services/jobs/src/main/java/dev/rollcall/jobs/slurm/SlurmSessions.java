package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;

/**
 * Collects the settings of a job's sessions, and their cgroups if they move themselves. The facts
 * are gathered as the job's step is looked at; {@link #place} only puts them together.
 */
record SlurmSessions(
    SessionCgroups cgroups,
    JobEnvironments environments,
    HookNotes notes,
    RuntimeDirectories runtime,
    Set<Integer> unknownReleases) {
  private static final System.Logger LOG = System.getLogger(SlurmSessions.class.getName());
  private static final String LONGEST_SECONDS = "20";

  /** Asks the daemon of a step that runs, once for a run of the job. May wait this long. */
  void ask(SlurmJob job, Path socket, Duration within) {
    if (job.extras.isEmpty()) {
      Optional<StepExtras> extras = StepExtras.ask(socket, within);
      job.extras = extras;
      extras.filter(its -> !its.isKnownRelease()).ifPresent(this::logUnknownRelease);
    }
    if (awaitsFirst(job) && !cgroups.areFrozen(job.id())) {
      job.hasFirst = true;
      giveFirst(job, socket, within);
    }
  }

  /** Each release once. */
  private void logUnknownRelease(StepExtras extras) {
    if (unknownReleases.add(extras.release())) {
      LOG.log(WARNING, extras.unknownRelease());
    }
  }

  /**
   * Has the step daemon take a process of the agent's that ends at once. The daemon of 26.05 makes
   * the cgroups of sessions with the first of them: now the first login finds them. May wait this
   * long. Without success the first session makes them.
   */
  private static void giveFirst(SlurmJob job, Path socket, Duration within) {
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

  private boolean awaitsFirst(SlurmJob job) {
    return !job.hasFirst
        && job.extras.filter(StepExtras::needsFirstProcess).isPresent()
        && cgroups.awaitFirst(job.id());
  }

  /**
   * Looks for what is not known. Under the job's lock.
   *
   * @param script whether the job's batch script is here, and so an environment
   * @return whether a later look would find no more
   */
  boolean look(SlurmJob job, boolean script) {
    job.hasScript = script;
    lookForCgroups(job);
    if (script) {
      environments.seek(job);
    }
    // A daemon until 24.11 puts its own process there a moment after its step runs.
    return job.extras.filter(its -> !its.none() || !job.cgroups.isEmpty()).isPresent()
        && (!script || job.environment.isPresent());
  }

  /** The first session may be the reason for which the daemon makes one. */
  void lookForCgroups(SlurmJob job) {
    if (job.cgroups.isEmpty()) {
      job.cgroups = cgroups.of(job.id());
    }
  }

  /** Empty where the step daemon has to be asked at each login. Takes no lock. */
  Optional<SessionPlace> place(SlurmJob job) {
    boolean known =
        job.state() == JobState.OPEN
            && job.socket().isPresent()
            && !job.cgroups.isEmpty()
            && job.extras.filter(StepExtras::none).isPresent();
    return known
        ? Optional.of(
            new SessionPlace(
                job.cgroups,
                setup(job, job.environment.orElse(Map.of()), StepDaemon.Display.NONE),
                new SessionPlace.Container(
                    List.of(), runtime.environment(job.id()), /* userNamespace= */ false),
                !job.hasScript || job.environment.isPresent()))
        : Optional.empty();
  }

  /**
   * The setup of a session that enters now. Under the job's lock; may wait for the environment of
   * the batch script.
   */
  SessionSetup setup(SlurmJob job, StepDaemon.Display display) {
    return setup(job, job.hasScript ? environments.of(job) : Map.of(), display);
  }

  /** A report of the prolog is the same on each node, and no user can change it: it comes first. */
  private SessionSetup setup(
      SlurmJob job, Map<String, String> ofScript, StepDaemon.Display display) {
    SequencedMap<String, String> environment = new LinkedHashMap<>();
    environment.put("SLURM_JOB_ID", job.id().toString());
    notes.of(job.id()).ifPresent(note -> note.environment().forEach(environment::putIfAbsent));
    ofScript.forEach((name, value) ->
        environment.merge(
            name,
            value,
            (told, its) -> name.equals(EnvironmentAllowList.LEFT_OUT) ? told + " " + its : told));
    int gid = job.job().gid();
    return new SessionSetup(
        environment, gid < 0 ? OptionalInt.empty() : OptionalInt.of(gid), List.of(), of(display));
  }

  private static Map<String, String> of(StepDaemon.Display display) {
    if (display.number() <= 0) {
      return Map.of();
    }
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("DISPLAY", "localhost:" + display.number() + ".0");
    display.authority().ifPresent(path -> variables.put("XAUTHORITY", path));
    return variables;
  }
}
