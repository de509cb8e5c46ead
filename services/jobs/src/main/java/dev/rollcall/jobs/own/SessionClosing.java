package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.Accounts;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Handles the end of a session: takes its account and, if it is so configured, ends the processes
 * that it left. Takes no lock: the process that closes keeps its leaf there.
 */
record SessionClosing(
    JobTree tree,
    Proc procfs,
    Accounts accounts,
    CgroupKill.Signal signal,
    SessionEnd end,
    Function<JobId, Optional<Job>> jobs) {
  private static final System.Logger LOG = System.getLogger(SessionClosing.class.getName());

  /** No round of kills begins later, so that the sessions of others are closed soon. */
  private static final Duration TO_KILL = Duration.ofMillis(500);

  /** That a round kills, some 50 microseconds each. */
  private static final int MOST = 16_384;

  private static final int MOST_NAMED = 20;

  /** The daemon that closes and its child. */
  private static final int DAEMONS = 2;

  /** A session and the process that closes it, which may have ended. */
  record Session(Job job, long number, CgroupDirectory leaf, ProcessRef closing) {}

  /**
   * An account so far.
   *
   * @param left whether processes outlive the session
   */
  record Closed(UsageRecord record, boolean left) {}

  /** A process that outlives the session, and where it is. */
  private record Left(int pid, CgroupDirectory in) {}

  /** The session that this process is in; empty if it is in none, or has ended. */
  Optional<Session> of(PinnedProcess process) {
    Optional<ProcessCgroups> cgroups = procfs.cgroups(process.ref());
    Optional<JobStep> step =
        cgroups.flatMap(tree::stepOf).filter(in -> in.step().equals(StepId.EXTERN));
    OptionalLong session =
        step.isEmpty()
            ? OptionalLong.empty()
            : tree.leafOf(step.get(), cgroups.get())
                .map(Leaves::sessionOf)
                .orElse(OptionalLong.empty());
    Optional<Job> job = step.map(JobStep::job).flatMap(jobs);
    if (job.isEmpty() || session.isEmpty()) {
      return Optional.empty();
    }
    long number = session.getAsLong();
    CgroupDirectory leaf = tree.identity().leaf(step.get(), Leaves.session(number));
    return Optional.of(new Session(job.get(), number, leaf, process.ref()));
  }

  Closed close(Session session) throws IOException {
    accounts.sample(session.job(), session.number());
    boolean left = end == SessionEnd.KILL ? survivesKill(session) : !left(session, 1).isEmpty();
    return new Closed(accounts.session(session.job(), session.number(), Optional.empty()), left);
  }

  /** The first ones. Not the daemon that closes, nor its child for the user's side, which ends. */
  private List<Left> left(Session session, int most) throws IOException {
    String daemon = procfs.command(session.closing().pid());
    List<Left> found = new ArrayList<>();
    session
        .leaf()
        .any(directory -> {
          for (int pid : directory.pids(most + DAEMONS)) {
            if (found.size() < most && !isDaemon(pid, session.closing(), daemon)) {
              found.add(new Left(pid, directory));
            }
          }
          return found.size() == most;
        });
    return found;
  }

  private boolean isDaemon(int pid, ProcessRef closing, String daemon) {
    boolean its =
        pid == closing.pid()
            || (procfs.parent(pid).equals(Optional.of(closing.pid()))
                && procfs.command(pid).equals(daemon));
    return its && procfs.ref(closing.pid()).equals(Optional.of(closing));
  }

  private boolean survivesKill(Session session) throws IOException {
    BoundedWait patience = BoundedWait.of(TO_KILL);
    List<Left> left = left(session, MOST);
    boolean more = true;
    while (more && !left.isEmpty()) {
      for (Left each : left) {
        signal.kill(each.pid(), each.in());
      }
      more = patience.pause();
      left = left(session, MOST);
    }
    if (!left.isEmpty()) {
      LOG.log(
          WARNING,
          "{0} processes of closed session {1} do not end and stay in the job: {2}",
          left.size() < MOST ? left.size() : "at least " + MOST,
          session.leaf(),
          left.stream().limit(MOST_NAMED).map(Left::pid).toList());
    }
    return !left.isEmpty();
  }
}
