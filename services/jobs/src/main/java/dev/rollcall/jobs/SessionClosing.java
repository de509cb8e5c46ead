package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.tree.Procfs;
import dev.rollcall.jobs.usage.Accounts;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Handles the end of a session: takes its account and, if it is so configured, ends the processes
 * that it left. Takes no lock: the process that closes keeps its leaf there.
 */
final class SessionClosing {
  private static final System.Logger LOG = System.getLogger(SessionClosing.class.getName());
  private static final Duration TO_KILL = Duration.ofMillis(500);

  private final JobTree tree;
  private final Procfs procfs;
  private final Accounts accounts;
  private final CgroupKill.Signal signal;
  private final SessionEnd end;
  private final Function<JobId, Optional<Job>> jobs;

  SessionClosing(
      JobTree tree,
      Procfs procfs,
      Accounts accounts,
      CgroupKill.Signal signal,
      SessionEnd end,
      Function<JobId, Optional<Job>> jobs) {
    this.tree = tree;
    this.procfs = procfs;
    this.accounts = accounts;
    this.signal = signal;
    this.end = end;
    this.jobs = jobs;
  }

  /**
   * An account so far.
   *
   * @param left processes that outlive the session
   */
  record Closed(UsageRecord record, List<Integer> left) {}

  Optional<Closed> close(PinnedProcess process) throws IOException {
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
    CgroupDirectory leaf = tree.identity().leaf(step.get(), Leaves.session(session.getAsLong()));
    accounts.sample(job.get(), session.getAsLong());
    List<Integer> left = end == SessionEnd.KILL ? killed(leaf, process) : others(leaf, process);
    return Optional.of(
        new Closed(accounts.session(job.get(), session.getAsLong(), Optional.empty()), left));
  }

  /** Not the daemon that closes, nor its child for the user's side, which ends by itself. */
  private List<Integer> others(CgroupDirectory leaf, PinnedProcess process) throws IOException {
    int closing = process.ref().pid();
    String daemon = procfs.command(closing);
    return leaf.pidsBelow().stream()
        .filter(pid -> pid != closing)
        .filter(pid -> !isPart(pid, closing, daemon))
        .toList();
  }

  private boolean isPart(int pid, int parent, String daemon) {
    return procfs.parent(pid).equals(Optional.of(parent)) && procfs.command(pid).equals(daemon);
  }

  private List<Integer> killed(CgroupDirectory leaf, PinnedProcess process) throws IOException {
    BoundedWait patience = BoundedWait.of(TO_KILL);
    List<Integer> left = others(leaf, process);
    while (!left.isEmpty()) {
      for (CgroupDirectory directory : leaf.tree()) {
        for (int pid : directory.pids()) {
          if (left.contains(pid)) {
            signal.kill(pid, directory);
          }
        }
      }
      boolean more = patience.pause();
      left = others(leaf, process);
      if (!more) {
        break;
      }
    }
    if (!left.isEmpty()) {
      LOG.log(WARNING, "processes {0} of closed session {1} do not end", left, leaf);
    }
    return left;
  }
}
