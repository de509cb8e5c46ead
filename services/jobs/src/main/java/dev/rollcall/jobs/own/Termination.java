package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;

/**
 * Asks the processes of a job to end, and leaves them the job's grace for it. The steps get SIGTERM
 * first. The extern step with the sessions ends after them, as Slurm's does: its processes get
 * SIGTERM when no step has a process, or when the grace is nearly over. A process that is stopped
 * or frozen gets its SIGTERM first and is let go then, so that it runs nothing else. Runs when the
 * job is CLOSING, under its teardown lock.
 */
final class Termination {
  /** Processes that were forked meanwhile get the signal in the next round. */
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

  /** The pids of the processes that got the signal. */
  BitSet told() {
    return told;
  }

  /** Signals the steps, and the sessions if there is no step to wait for. */
  void start() throws IOException {
    signal(this::ofSteps);
    signalSessionsIfDue();
    thaw();
  }

  /** Signals the sessions, once, if no step has a process or the grace is nearly over. */
  void signalSessionsIfDue() throws IOException {
    if (!job.sessionsSignalled && (job.grace().isForSessions() || !stepsAreOccupied())) {
      signal(this::besideSteps);
      thaw();
      job.sessionsSignalled = true;
    }
  }

  /** Directories of the job. */
  @FunctionalInterface
  private interface Part {
    void walk(CgroupDirectory.Visitor visitor) throws IOException;
  }

  private void ofSteps(CgroupDirectory.Visitor visitor) throws IOException {
    for (CgroupDirectory step : tree.identity().stepsBesideExtern(job.id())) {
      step.walk(visitor);
    }
  }

  private void besideSteps(CgroupDirectory.Visitor visitor) throws IOException {
    top.walk(0, visitor);
    tree.identity().step(new JobStep(job.id(), StepId.EXTERN)).walk(visitor);
  }

  private void signal(Part part) throws IOException {
    for (int round = 0; round < ROUNDS && signalOthers(part); round++) {}
  }

  private void thaw() throws IOException {
    Optional<Freezer> freezer = Freezer.of(top);
    if (freezer.isPresent()) {
      freezer.get().thaw(top);
    }
  }

  /** False if all had the signal before. */
  private boolean signalOthers(Part part) throws IOException {
    int before = told.cardinality();
    BitSet inJob =
        to == EndSignal.ALL ? new BitSet() : tree.identity().withoutFirstProcess(job.id());
    part.walk(directory -> {
      for (int pid : directory.pids()) {
        if (!told.get(pid) && signals.procfs().parent(pid).filter(inJob::get).isEmpty()) {
          told.set(pid);
          signals.send(pid, directory, Signals.SIGTERM, Signals.SIGCONT);
        }
      }
    });
    return told.cardinality() > before;
  }

  /**
   * Whether nothing runs any more or the grace is over: then the job is to be killed and removed.
   * Signals the sessions if that is due.
   */
  boolean isOver() throws IOException {
    if (job.grace().left().toMillis() == 0 || !occupied()) {
      return true;
    }
    signalSessionsIfDue();
    return false;
  }

  private boolean stepsAreOccupied() throws IOException {
    for (CgroupDirectory step : tree.identity().stepsBesideExtern(job.id())) {
      if (step.isOccupied()) {
        return true;
      }
    }
    return false;
  }

  /** Process 1 of the job's pid namespace ends by the kill alone, and does not count. */
  private boolean occupied() throws IOException {
    for (var hierarchy : tree.hierarchies()) {
      if (!hierarchy.withoutFirstProcess(job.id()).isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
