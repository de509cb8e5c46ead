package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.journal.Journal;
import dev.rollcall.jobs.journal.JournalLine;
import dev.rollcall.jobs.tree.Census;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.Patience;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.EndResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends jobs: CLOSING at once, so that nothing enters any more, then CLOSED when nothing is left.
 */
final class Ending {
  private static final System.Logger LOG = System.getLogger(Ending.class.getName());

  private final CgroupKill.Signal signal;
  private final JobTree tree;
  private final Journal journal;
  private final Census census;
  private final Consumer<NativeJob> closed;

  /**
   * @param signal for kernels that do not kill a cgroup at once
   * @param closed told of a job that is CLOSED, under its lock
   */
  Ending(
      JobTree tree,
      CgroupKill.Signal signal,
      Journal journal,
      Census census,
      Consumer<NativeJob> closed) {
    this.signal = signal;
    this.tree = tree;
    this.journal = journal;
    this.census = census;
    this.closed = closed;
  }

  EndResult end(NativeJob job, Duration wait) {
    Patience patience = Patience.of(wait);
    boolean first;
    job.lock.lock();
    try {
      if (job.state() == JobState.CLOSED) {
        return new EndResult.NoSuchJob();
      }
      first = job.state() != JobState.CLOSING;
      if (first) {
        job.become(JobState.CLOSING);
      }
    } finally {
      job.lock.unlock();
    }
    if (!locked(job, patience)) {
      return new EndResult.Unclean(0, census.of(job.id()), "another end of the job is at it");
    }
    try {
      if (first) {
        note(new JournalLine.Closing(job.id()));
      }
      return job.state() == JobState.CLOSED ? new EndResult.Clean(0) : tornDown(job, patience);
    } finally {
      job.teardown.unlock();
    }
  }

  private EndResult tornDown(NativeJob job, Patience patience) {
    Teardown teardown = new Teardown(tree, signal, job.id());
    if (!teardown.run(patience)) {
      List<JobProcess> left = census.of(job.id());
      LOG.log(WARNING, "end job {0}: {1}; left: {2}", job.id(), teardown.obstacle(), left);
      int killed = Math.max(0, teardown.killed() - left.size());
      return new EndResult.Unclean(killed, left, teardown.obstacle());
    }
    job.lock.lock();
    try {
      note(new JournalLine.End(job.id()));
      close(job);
    } finally {
      job.lock.unlock();
    }
    return new EndResult.Clean(teardown.killed());
  }

  /** Nothing is left of the job. Under its lock. */
  void close(NativeJob job) {
    closed.accept(job);
    job.become(JobState.CLOSED);
  }

  private static boolean locked(NativeJob job, Patience patience) {
    try {
      return job.teardown.tryLock(patience.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Journals what happens even if the disk is full: a restart finds it out by the tree. */
  private void note(JournalLine line) {
    try {
      journal.append(line);
    } catch (IOException e) {
      LOG.log(WARNING, "not journalled: {0}: {1}", line.text(), e.getMessage());
    }
  }
}
