package dev.rollcall.agent.outside;

import dev.rollcall.agent.outside.Processes.Standing;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
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
  record Finding(
      ProcessRef process,
      UnitKind place,
      int uid,
      String cgroup,
      Action action,
      Incident incident) {}

  /** Empty if it has ended, is in a job, or its user has no open job here. */
  Optional<Finding> examine(int pid) throws IOException {
    Optional<Standing> found = processes.look(pid);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (Standing standing = found.get()) {
      Optional<Job> newest = newestOf(standing.uid());
      return newest.isPresent() && isOutside(standing)
          ? Optional.of(dealtWith(standing, newest.get()))
          : Optional.empty();
    }
  }

  private Optional<Job> newestOf(int uid) {
    return jobs.list().stream()
        .filter(job -> job.uid() == uid && job.state() == JobState.OPEN)
        .max(Job.OLDEST_FIRST);
  }

  private boolean isOutside(Standing standing) {
    return jobs.membershipOf(standing.process().ref())
        .filter(membership -> membership instanceof Membership.NoJob)
        .isPresent();
  }

  private Finding dealtWith(Standing standing, Job newest) throws IOException {
    UnitKind place = UnitKind.of(standing.cgroup());
    String text =
        "process %d (%s) of uid %s is in %s, in no job"
            .formatted(
                standing.process().ref().pid(),
                standing.command(),
                Integer.toUnsignedString(standing.uid()),
                standing.cgroup());
    return switch (wanted) {
      case REPORT -> finding(standing, place, newest, Action.REPORTED, text);
      case ADOPT -> adopted(standing, place, newest, text);
      case DENY -> killed(standing, place, newest, text);
    };
  }

  /** The instance itself stays: from inside a job it could begin no service any more. */
  private Finding adopted(Standing standing, UnitKind place, Job newest, String text) {
    if (place == UnitKind.ELSEWHERE || place == UnitKind.USER_MANAGER) {
      return finding(standing, place, newest, Action.REPORTED, text);
    }
    return switch (jobs.adopt(standing.process(), newest.id(), newest.uid(), Jobs.From.NO_JOB)) {
      case AdoptResult.Adopted(JobStep step, _, _, _) ->
          finding(standing, place, newest, Action.ADOPTED, text + ": moved into job " + step.job());
      case AdoptResult.NotOpen(String reason) ->
          finding(standing, place, newest, Action.FAILED, text + ": not moved: " + reason);
      case AdoptResult.Kept(String reason) ->
          finding(standing, place, newest, Action.FAILED, text + ": not moved: " + reason);
      case AdoptResult.Failed(String reason) ->
          finding(standing, place, newest, Action.FAILED, text + ": not moved: " + reason);
    };
  }

  private Finding killed(Standing standing, UnitKind place, Job newest, String text)
      throws IOException {
    if (place == UnitKind.ELSEWHERE) {
      return finding(standing, place, newest, Action.REPORTED, text);
    }
    boolean killed = processes.kill(standing.process());
    return finding(
        standing, place, newest, Action.KILLED, text + (killed ? ": killed" : ": ended by itself"));
  }

  private Finding finding(
      Standing standing, UnitKind place, Job newest, Action action, String text) {
    var step = new JobStep(newest.id(), StepId.EXTERN);
    var incident =
        new Incident(Incident.Kind.ESCAPED, step, OptionalLong.empty(), 1, clock.instant(), text);
    return new Finding(
        standing.process().ref(), place, standing.uid(), standing.cgroup(), action, incident);
  }
}
