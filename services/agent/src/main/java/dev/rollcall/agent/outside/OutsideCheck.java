package dev.rollcall.agent.outside;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
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
  record Finding(Seen seen, Action action, Incident incident) {
    UnitKind place() {
      return UnitKind.of(seen.cgroup());
    }
  }

  /** Empty if it has ended, is in a job, or its user has no open job here. */
  Optional<Finding> examine(int pid) throws IOException {
    try (Owned owned = processes.pin(pid).orElse(null)) {
      if (owned == null) {
        return Optional.empty();
      }
      PinnedProcess process = owned.process();
      Optional<Seen> seen = processes.see(pid).filter(it -> it.process().equals(process.ref()));
      Optional<Job> newest = seen.flatMap(it -> newestOf(it.uid()));
      return newest.isPresent() && isOutside(process)
          ? Optional.of(dealtWith(process, seen.get(), newest.get()))
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

  private Finding dealtWith(PinnedProcess process, Seen seen, Job newest) throws IOException {
    String text =
        "process %d (%s) of uid %s is in %s, in no job"
            .formatted(
                seen.process().pid(),
                seen.command(),
                Integer.toUnsignedString(seen.uid()),
                seen.cgroup());
    return switch (wanted) {
      case REPORT -> finding(seen, newest, Action.REPORTED, text);
      case ADOPT -> adopted(process, seen, newest, text);
      case DENY -> killed(process, seen, newest, text);
    };
  }

  /** The instance itself stays: from inside a job it could begin no service any more. */
  private Finding adopted(PinnedProcess process, Seen seen, Job newest, String text) {
    UnitKind place = UnitKind.of(seen.cgroup());
    if (place == UnitKind.ELSEWHERE || place == UnitKind.USER_MANAGER) {
      return finding(seen, newest, Action.REPORTED, text);
    }
    return switch (jobs.adopt(process, newest.id(), newest.uid(), Jobs.From.NO_JOB)) {
      case AdoptResult.Adopted(JobStep step, _, _, _) ->
          finding(seen, newest, Action.ADOPTED, text + ": moved into job " + step.job());
      case AdoptResult.NotOpen(String reason) ->
          finding(seen, newest, Action.FAILED, text + ": not moved: " + reason);
      case AdoptResult.Kept(String reason) ->
          finding(seen, newest, Action.FAILED, text + ": not moved: " + reason);
      case AdoptResult.Failed(String reason) ->
          finding(seen, newest, Action.FAILED, text + ": not moved: " + reason);
    };
  }

  private Finding killed(PinnedProcess process, Seen seen, Job newest, String text)
      throws IOException {
    if (UnitKind.of(seen.cgroup()) == UnitKind.ELSEWHERE) {
      return finding(seen, newest, Action.REPORTED, text);
    }
    boolean killed = processes.kill(process);
    return finding(seen, newest, Action.KILLED, text + (killed ? ": killed" : ": ended by itself"));
  }

  private Finding finding(Seen seen, Job newest, Action action, String text) {
    var step = new JobStep(newest.id(), StepId.EXTERN);
    var incident =
        new Incident(Incident.Kind.ESCAPED, step, OptionalLong.empty(), 1, clock.instant(), text);
    return new Finding(seen, action, incident);
  }
}
