package dev.rollcall.jobs;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;

/**
 * Asks the processes of a job to end, and leaves them the job's grace for it. A process that is
 * stopped or frozen gets its SIGTERM first and is let go then, so that it runs nothing else.
 * Sessions that were adopted are told as well. Runs when the job is CLOSING, under its teardown
 * lock.
 */
final class Termination {
  /** Processes that were forked while the others were told are met by the next round. */
  private static final int ROUNDS = 3;

  private final JobTree tree;
  private final Signals signals;
  private final NativeJob job;
  private final EndSignal to;
  private final CgroupDirectory top;
  private final BitSet told = new BitSet();

  Termination(JobTree tree, Signals signals, NativeJob job, EndSignal to) {
    this.tree = tree;
    this.signals = signals;
    this.job = job;
    this.to = to;
    this.top = tree.identity().job(job.id());
  }

  /** The pids of those that were told to end. */
  BitSet told() {
    return told;
  }

  void tell() throws IOException {
    for (int round = 0; round < ROUNDS && tellOthers(); round++) {}
    Optional<Freezer> freezer = Freezer.of(top);
    if (freezer.isPresent()) {
      freezer.get().thaw(top);
    }
  }

  /** False when all had been told before. */
  private boolean tellOthers() throws IOException {
    boolean others = false;
    BitSet inJob = to == EndSignal.ALL ? new BitSet() : withoutFirstProcess(tree.identity());
    for (CgroupDirectory directory : top.tree()) {
      for (int pid : directory.pids()) {
        if (!told.get(pid) && signals.parent(pid).filter(inJob::get).isEmpty()) {
          told.set(pid);
          others = true;
          signals.send(pid, directory, Signals.SIGTERM, Signals.SIGCONT);
        }
      }
    }
    return others;
  }

  /**
   * Waits for the processes to end.
   *
   * @return true when nothing runs any more or the grace is over: then the job is to be killed and
   *     removed; false when the patience ended first
   */
  boolean over(BoundedWait patience) throws IOException {
    BoundedWait wait = patience.atMost(job.graceLeft()).calm();
    while (!job.graceLeft().isZero() && occupied()) {
      if (!wait.pause()) {
        return job.graceLeft().toMillis() == 0;
      }
    }
    return true;
  }

  /** Process 1 of the job's pid namespace ends by the kill alone, and does not count. */
  private boolean occupied() throws IOException {
    for (var hierarchy : tree.hierarchies()) {
      if (!withoutFirstProcess(hierarchy).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private BitSet withoutFirstProcess(Hierarchy hierarchy) throws IOException {
    JobStep extern = new JobStep(job.id(), StepId.EXTERN);
    BitSet pids = new BitSet();
    hierarchy.job(job.id()).pidsBelow().forEach(pids::set);
    hierarchy.leaf(extern, Leaves.CONTAINER).pidsBelow().forEach(pids::clear);
    return pids;
  }
}
