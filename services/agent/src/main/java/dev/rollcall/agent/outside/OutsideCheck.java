package dev.rollcall.agent.outside;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.Processes;
import dev.rollcall.port.Processes.Owned;
import dev.rollcall.port.Processes.Seen;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Checks whether a process is outside its job, and does what the site wants. On a worker thread.
 */
record OutsideCheck(Jobs jobs, Processes processes, UserServices wanted, Clock clock) {
  /** The action for a process outside its job. */
  enum Action {
    REPORTED,
    ADOPTED,
    KILLED,
    /** It should have been brought back or killed, and could not be. */
    FAILED
  }

  /**
   * A process that is in no job.
   *
   * @param incident with a sentence for people
   */
  record Finding(Seen seen, UnitKind place, Action action, Incident incident) {
    /** Whether it was left for the place that it is in, and may be there for a moment only. */
    boolean isPassing() {
      return place == UnitKind.USER_MANAGER
          && action == Action.REPORTED
          && UnitKind.ofStaying(seen) != place;
    }
  }

  /** A process that is in no job, where it counts as being, and the newest job of its user. */
  private record Found(PinnedProcess process, Seen seen, UnitKind place, Job newest) {}

  /** Empty if it has ended, is in a job, or its user has no open job here. */
  Optional<Finding> examine(int pid) throws IOException {
    return examine(pid, _ -> true, seen -> UnitKind.of(seen.cgroup()));
  }

  /** Examines a process that was passing some time ago. */
  Optional<Finding> examineAgain(ProcessRef process) throws IOException {
    return examine(process.pid(), process::equals, UnitKind::ofStaying);
  }

  private Optional<Finding> examine(
      int pid, Predicate<ProcessRef> wanted, Function<Seen, UnitKind> place) throws IOException {
    try (Owned owned = processes.pin(pid).orElse(null)) {
      if (owned == null || !wanted.test(owned.process().ref())) {
        return Optional.empty();
      }
      PinnedProcess process = owned.process();
      Optional<Seen> seen = processes.see(pid).filter(it -> it.process().equals(process.ref()));
      Optional<Job> newest = seen.flatMap(it -> newestOf(it.uid()));
      return newest.isPresent() && isOutside(process)
          ? Optional.of(
              dealtWith(new Found(process, seen.get(), place.apply(seen.get()), newest.get())))
          : Optional.empty();
    }
  }

  private Optional<Job> newestOf(int uid) {
    return jobs.list().stream()
        .filter(job -> job.uid() == uid && job.state() == JobState.OPEN)
        .max(Job.OLDEST_FIRST);
  }

  private boolean isOutside(PinnedProcess process) {
    return jobs.membershipOf(process.ref())
        .filter(membership -> membership instanceof Membership.NoJob)
        .isPresent();
  }

  private Finding dealtWith(Found found) throws IOException {
    String text =
        "process %d (%s) of uid %s is in %s, in no job"
            .formatted(
                found.seen.process().pid(),
                found.seen.command(),
                Integer.toUnsignedString(found.seen.uid()),
                found.seen.cgroup());
    return switch (wanted) {
      case REPORT -> finding(found, Action.REPORTED, text);
      case ADOPT -> adopted(found, text);
      case DENY -> killed(found, text);
    };
  }

  /** The instance itself stays: from inside a job it could begin no service any more. */
  private Finding adopted(Found found, String text) {
    if (found.place == UnitKind.ELSEWHERE || found.place == UnitKind.USER_MANAGER) {
      return finding(found, Action.REPORTED, text);
    }
    Job newest = found.newest;
    return switch (jobs.adopt(found.process, newest.id(), newest.uid(), Jobs.From.NO_JOB)) {
      case AdoptResult.Adopted(JobStep step, _, _, _) ->
          finding(found, Action.ADOPTED, text + ": moved into job " + step.job());
      case AdoptResult.NotOpen(String reason) ->
          finding(found, Action.FAILED, text + ": not moved: " + reason);
      case AdoptResult.Kept(String reason) ->
          finding(found, Action.FAILED, text + ": not moved: " + reason);
      case AdoptResult.Failed(String reason) ->
          finding(found, Action.FAILED, text + ": not moved: " + reason);
    };
  }

  private Finding killed(Found found, String text) throws IOException {
    if (found.place == UnitKind.ELSEWHERE) {
      return finding(found, Action.REPORTED, text);
    }
    boolean killed = processes.kill(found.process);
    return finding(found, Action.KILLED, text + (killed ? ": killed" : ": ended by itself"));
  }

  private Finding finding(Found found, Action action, String text) {
    var step = new JobStep(found.newest.id(), StepId.EXTERN);
    var incident =
        new Incident(Incident.Kind.ESCAPED, step, OptionalLong.empty(), 1, clock.instant(), text);
    return new Finding(found.seen, found.place, action, incident);
  }
}
