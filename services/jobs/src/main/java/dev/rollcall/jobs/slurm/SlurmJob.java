package dev.rollcall.jobs.slurm;

import dev.rollcall.jobs.JobList;
import dev.rollcall.jobs.LockedJob;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobState;
import dev.rollcall.port.SessionPlace;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One job of Slurm's. The lock covers the state and an adoption from the look at the state to the
 * process read back.
 */
final class SlurmJob extends LockedJob {
  private static final int NOBODY = -1;

  /** The start of its latest known extern step. */
  private volatile Optional<Instant> run = Optional.empty();

  private volatile Optional<SpoolListing.Extern> socket = Optional.empty();

  /** The environment of a task of the job, once one was found. */
  volatile Optional<Map<String, String>> environment = Optional.empty();

  /** Under the lock. */
  private Optional<CompletableFuture<Optional<Map<String, String>>>> reading = Optional.empty();

  /** Whether its batch script is here. */
  volatile boolean hasScript;

  /** Whether its daemon was given a process of the agent's. */
  volatile boolean hasFirst;

  final SlurmOomKills oomKills = new SlurmOomKills();

  volatile Optional<StepExtras> extras = Optional.empty();

  /** Where its sessions go; empty while that is not known. */
  volatile List<SessionPlace.Cgroup> cgroups = List.of();

  SlurmJob(Job job, JobList list) {
    super(job, list);
  }

  /** The extern step, while its socket is there. */
  Optional<SpoolListing.Extern> extern() {
    return socket;
  }

  /** The extern step's socket, while it is there. */
  Optional<Path> socket() {
    return socket.map(SpoolListing.Extern::file);
  }

  void heardOf(SpoolListing.Extern found) {
    socket = Optional.of(found);
    run = Optional.of(found.made());
  }

  /** Whether this is the socket of the run of the job that is known, if one is. */
  boolean is(SpoolListing.Extern found) {
    return run.isEmpty() || socket.equals(Optional.of(found));
  }

  /** Whether its extern step was there before; not known of a job that had none. */
  boolean beganBefore(Instant time) {
    return run.filter(time::isAfter).isPresent();
  }

  /** A job whose owner and start are not known yet; it is not published. */
  static Job unknown(JobId id) {
    return new Job(id, NOBODY, NOBODY, Instant.EPOCH, JobState.BEGINNING);
  }

  boolean isKnown() {
    return job().uid() != NOBODY;
  }

  void lostSocket() {
    socket = Optional.empty();
  }

  /** The reading of the environment that is under way, or else a new one. Under the lock. */
  CompletableFuture<Optional<Map<String, String>>> environmentReading(
      Supplier<CompletableFuture<Optional<Map<String, String>>>> begin) {
    CompletableFuture<Optional<Map<String, String>>> its =
        reading.filter(each -> !each.isDone()).orElseGet(begin);
    reading = Optional.of(its);
    return its;
  }

  /** No session moves itself any more, since nobody could account for it. Under the lock. */
  void lostDaemon() {
    extras = Optional.empty();
    tellAgain();
  }

  /** Tells of it although its state is the same: what its sessions get is not. Under the lock. */
  void tellAgain() {
    if (isKnown() && state() != JobState.CLOSED) {
      publish();
    }
  }

  /** Changes the state and publishes it, unless it is the state already. Under the lock. */
  void become(JobState next) {
    if (state() == next || state() == JobState.CLOSED) {
      return;
    }
    if (next.compareTo(state()) < 0 && state() == JobState.CLOSING) {
      return; // what ends does not come back
    }
    set(job().in(next));
    if (isKnown()) {
      publish();
    }
  }

  /** Takes over what was learned of the owner. Under the lock. */
  void is(Job known) {
    Job now = known.in(state()).with(known.label().or(job().label()));
    if (!now.equals(job())) {
      set(now);
      publish();
    }
  }

  /** Takes over the variables of its batch script, and publishes nothing. Under the lock. */
  void has(Map<String, String> variables) {
    environment = Optional.of(variables);
    set(job().with(job().label().or(JobLabel.of(variables))));
  }
}
