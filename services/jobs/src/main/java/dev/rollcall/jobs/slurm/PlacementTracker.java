package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Learns where Slurm put the cgroups of each job, and keeps the problems with that. */
final class PlacementTracker {
  private static final System.Logger LOG = System.getLogger(PlacementTracker.class.getName());

  private final SlurmCgroups cgroups;
  private final SpoolWatch watch;
  private final SlurmCounts counts;
  private final Map<JobId, String> troubles = new ConcurrentHashMap<>();
  private final Set<JobId> unplaced = ConcurrentHashMap.newKeySet();

  PlacementTracker(SlurmCgroups cgroups, SpoolWatch watch, SlurmCounts counts) {
    this.cgroups = cgroups;
    this.watch = watch;
    this.counts = counts;
  }

  /** Takes the facts of a step daemon. Returns whether the place of the job's cgroups is known. */
  boolean learn(JobId id, StepFacts.Known known) {
    return switch (known.placement()) {
      case Placement.Placed place -> place(id, place);
      case Placement.Waiting _ -> cgroups.place(id).isPresent();
      // It makes them, and goes there, before its step runs.
      case Placement.Unknown _ when known.state() == StepDaemon.State.STARTING ->
          cgroups.place(id).isPresent();
      case Placement.Unknown(String reason) -> {
        unknown(id, reason);
        yield cgroups.place(id).isPresent();
      }
    };
  }

  private boolean place(JobId id, Placement.Placed place) {
    try {
      cgroups.learn(id, place);
      clear(id);
      if (!watch.listensTo(id)) {
        cgroups
            .freezerDirectory(id)
            .filter(Files::isDirectory)
            .ifPresent(it -> watch.listen(id, it));
      }
      return true;
    } catch (NoSuchFileException removed) {
      return false; // by now: the job ends
    } catch (IOException e) {
      unknown(id, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * Hears of each session that moves itself, too: in v1 it is written to a file of what is watched
   * already.
   */
  void listenToSessions(SlurmJob job) {
    job.cgroups.stream()
        .filter(it -> it.hierarchy().isEmpty())
        .forEach(it -> watch.listen(job.id(), it.directory()));
  }

  private void unknown(JobId id, String reason) {
    trouble(id, reason);
    unplaced.add(id);
    counts.unknownLayouts.set(unplaced.size());
  }

  /** Notes what keeps a job from being used. */
  void trouble(JobId id, String reason) {
    if (!reason.equals(troubles.put(id, reason))) {
      LOG.log(WARNING, "job {0}: {1}", id, reason);
    }
  }

  private void clear(JobId id) {
    troubles.remove(id);
    unplaced.remove(id);
    counts.unknownLayouts.set(unplaced.size());
  }

  void forget(JobId id) {
    watch.leave(id);
    cgroups.forget(id);
    clear(id);
  }

  /** The problem of one job, if any has one. */
  Optional<String> trouble() {
    return troubles.values().stream().findFirst();
  }
}
