package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.Beginnings;
import dev.rollcall.jobs.usage.JobIncidents;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.JoinedSession;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Records sessions whose processes moved themselves into a job, as {@link MovesByAgent} records
 * those that it moves.
 */
record MovesBySessions(JobTree tree, Leaves leaves, SessionReaper reaper, JobIncidents incidents) {
  private static final System.Logger LOG = System.getLogger(MovesBySessions.class.getName());

  /** A change of the job's state waits at most as long for a login that holds its user's lock. */
  private static final Duration TO_WAIT = Duration.ofSeconds(2);

  /** The step that the session is in; empty if its cgroup is none of the job's sessions'. */
  Optional<JobStep> note(NativeJob job, JoinedSession session) {
    var extern = new JobStep(job.id(), StepId.EXTERN);
    OptionalLong number = number(extern, session);
    if (number.isEmpty()) {
      return Optional.empty();
    }
    if (!NativeJob.took(job.lock, TO_WAIT)) {
      LOG.log(
          WARNING,
          "session {0} of job {1} is added to the accounts late: the job has been busy for {2} s",
          Leaves.session(number.getAsLong()),
          job.id(),
          TO_WAIT.toSeconds());
      return Optional.of(extern);
    }
    try {
      if (job.state() != JobState.CLOSED) {
        noteLocked(job, extern, number.getAsLong(), session);
      }
      return Optional.of(extern);
    } finally {
      job.lock.unlock();
    }
  }

  private void noteLocked(NativeJob job, JobStep extern, long number, JoinedSession session) {
    String leaf = Leaves.session(number);
    try {
      leaves.learn(extern, leaf);
    } catch (NoSuchFileException over) {
      LOG.log(DEBUG, "session {0} of job {1} is over already", leaf, job.id());
      return;
    } catch (IOException e) {
      LOG.log(WARNING, "session {0} of job {1}: {2}", leaf, job.id(), e.getMessage());
    }
    Beginnings.note(tree.identity().leaf(extern, leaf), session.at());
    job.sessions.addLast(number);
    reaper.after(job, () -> incidents.watch(extern, leaf));
  }

  /**
   * The number of the session whose leaf the cgroup is: right below its step, no other spelling.
   */
  private OptionalLong number(JobStep extern, JoinedSession session) {
    Hierarchy identity = tree.identity();
    String above = identity.pathOf(identity.user(extern)) + "/";
    if (!session.hierarchy().equals(identity.name()) || !session.cgroup().startsWith(above)) {
      return OptionalLong.empty();
    }
    String leaf = session.cgroup().substring(above.length());
    OptionalLong number = Leaves.sessionOf(leaf);
    return number.isPresent() && Leaves.session(number.getAsLong()).equals(leaf)
        ? number
        : OptionalLong.empty();
  }
}
