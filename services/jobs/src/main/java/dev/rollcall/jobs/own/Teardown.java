package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Kills all that is in a job and removes its directories, in rounds: kill, see the processes go,
 * remove. A process that came in or was forked meanwhile is met by the next round, until there is
 * no directory for it to be in. Runs when the job is CLOSING, under its teardown lock, or before it
 * is OPEN.
 */
final class Teardown {
  private static final System.Logger LOG = System.getLogger(Teardown.class.getName());

  /** A killed process needs this long to go, unless it hangs; then it is killed again. */
  private static final Duration BETWEEN_KILLS = Duration.ofMillis(100);

  /** What is done before each attempt to remove directories. */
  @FunctionalInterface
  interface BeforeRemoval {
    void run() throws IOException;
  }

  private final JobTree tree;
  private final Signals signal;
  private final JobId job;
  private final BitSet met = new BitSet();
  private final BeforeRemoval beforeRemoval;
  private String obstacle = "";

  Teardown(JobTree tree, Signals signal, JobId job) {
    this(tree, signal, job, new BitSet(), () -> {});
  }

  /**
   * @param told pids of processes that were asked to end before
   * @param beforeRemoval called before each attempt to remove directories
   */
  Teardown(JobTree tree, Signals signal, JobId job, BitSet told, BeforeRemoval beforeRemoval) {
    this.beforeRemoval = beforeRemoval;
    this.tree = tree;
    this.signal = signal;
    this.job = job;
    met.or(told);
  }

  /**
   * How many processes that were told to end, or were seen and killed, are in the job no more and
   * in no other one; one that was forked and killed unseen is not in it.
   */
  int ended() throws IOException {
    BitSet gone = new BitSet();
    gone.or(met);
    tree.identity().job(job).pidsBelow().forEach(gone::clear);
    return (int) gone.stream().filter(pid -> !signal.inAnother(pid, job)).count();
  }

  /** What was in the way when the time was up. */
  String obstacle() {
    return obstacle;
  }

  /**
   * @return true when nothing is left
   */
  boolean run(BoundedWait patience) {
    killStepsFirst(patience);
    do {
      try {
        killRound(patience);
        awaitEmpty(patience.atMost(BETWEEN_KILLS));
        beforeRemoval.run();
        if (removed(patience.atMost(BETWEEN_KILLS))) {
          return true;
        }
      } catch (IOException | RuntimeException e) {
        // Also of a mistake of ours: the job's processes could have made it, and would live on.
        obstacle = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
        LOG.log(WARNING, "cannot end job {0}: {1}", job, obstacle);
      }
    } while (patience.pause());
    return false;
  }

  /** Kills the other steps before the extern step with its sessions. */
  private void killStepsFirst(BoundedWait patience) {
    try {
      List<CgroupDirectory> steps = tree.identity().stepsBesideExtern(job);
      for (CgroupDirectory step : steps) {
        CgroupKill.of(step).round(step, signal, patience).forEach(met::set);
      }
      BoundedWait toEnd = patience.atMost(BETWEEN_KILLS);
      for (CgroupDirectory step : steps) {
        while (step.isOccupied() && toEnd.pause()) {}
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot end the steps of job {0} first: {1}", job, e.getMessage());
    }
  }

  /** The first hierarchy stops its processes before it kills; the others hold stragglers only. */
  private void killRound(BoundedWait patience) throws IOException {
    for (Hierarchy hierarchy : tree.hierarchies()) {
      CgroupDirectory top = hierarchy.job(job);
      if (top.exists()) {
        CgroupKill.of(top).round(top, signal, patience).forEach(met::set);
      }
    }
  }

  private void awaitEmpty(BoundedWait patience) throws IOException {
    for (Hierarchy hierarchy : tree.hierarchies()) {
      CgroupDirectory top = hierarchy.job(job);
      while (top.isOccupied()) {
        if (!patience.pause()) {
          return;
        }
      }
    }
  }

  private boolean removed(BoundedWait patience) {
    boolean all = true;
    for (Hierarchy hierarchy : tree.hierarchies()) {
      CgroupDirectory top = hierarchy.job(job);
      Optional<String> left = left(CgroupRemoval.remove(top, patience), top);
      left.ifPresent(what -> obstacle = what);
      all &= left.isEmpty();
    }
    return all;
  }

  private static Optional<String> left(CgroupRemoval.Outcome outcome, CgroupDirectory top) {
    return switch (outcome) {
      case CgroupRemoval.Outcome.Removed() -> Optional.empty();
      case CgroupRemoval.Outcome.Occupied(var pids) ->
          Optional.of("processes " + pids + " in " + top + " do not end");
      case CgroupRemoval.Outcome.Refused(String reason) -> Optional.of(reason);
    };
  }
}
