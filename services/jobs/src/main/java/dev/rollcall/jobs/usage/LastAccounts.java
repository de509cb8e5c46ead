package dev.rollcall.jobs.usage;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.tree.OwnMoves;
import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.UsageRecord;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reports the last record of each session, step and job once: after its processes ended, before its
 * directories are removed. If the directories could not be removed, this agent does not report the
 * record again; a restarted agent does, with the same start.
 */
public final class LastAccounts {
  private static final System.Logger LOG = System.getLogger(LastAccounts.class.getName());

  /** The records of one job that were reported. */
  private static final class Given {
    final Set<Long> sessions = new HashSet<>();
    final Set<StepId> steps = new HashSet<>();
    boolean job;
    Carried most = Carried.NONE;
  }

  private final JobTree tree;
  private final Leaves leaves;
  private final Accounts accounts;
  private final JobIncidents incidents;
  private final Proc procfs;
  private final InstantSource clock;
  private final Consumer<UsageRecord> told;
  private final Map<JobId, Given> given = new ConcurrentHashMap<>();

  /**
   * @param told gets each record, on the thread that removes
   */
  public LastAccounts(
      JobTree tree,
      Leaves leaves,
      Accounts accounts,
      JobIncidents incidents,
      Proc procfs,
      InstantSource clock,
      Consumer<UsageRecord> told) {
    this.tree = tree;
    this.leaves = leaves;
    this.accounts = accounts;
    this.incidents = incidents;
    this.procfs = procfs;
    this.clock = clock;
    this.told = told;
  }

  /**
   * Removes the leaf of a session that has ended, after its record was given. A leaf that is gone
   * was removed so before. A process that moves itself makes its leaf before it enters it: the leaf
   * is there for as long as that process lives.
   *
   * @return false if there is a process in it, or the kernel keeps it for another reason
   */
  public boolean closed(Job job, long session) {
    JobStep extern = Accounts.extern(job);
    String leaf = Leaves.session(session);
    if (tree.hierarchies().stream().noneMatch(each -> each.leaf(extern, leaf).exists())) {
      return true;
    }
    if (isMaking(session) || !empty(each -> each.leaf(extern, leaf))) {
      return false;
    }
    Given known = given(job.id());
    ReentrantLock lock = accounts.remains().lock(job.id());
    lock.lock();
    try {
      synchronized (known) {
        give(job, known, session);
        if (!leaves.removed(extern, leaf)) {
          return false;
        }
        known.sessions.remove(session);
      }
    } finally {
      lock.unlock();
    }
    incidents.forget(extern, leaf);
    return true;
  }

  /** Looked at before the leaf: a process that ends in between has left it. */
  private boolean isMaking(long session) {
    Optional<ProcessRef> process = OwnMoves.processOf(session);
    return process.isPresent() && procfs.ref(process.get().pid()).equals(process);
  }

  private Given given(JobId job) {
    return given.computeIfAbsent(job, _ -> new Given());
  }

  private void give(Job job, Given known, long session) {
    if (known.sessions.add(session)) {
      UsageRecord last = accounts.session(job, session, Optional.of(clock.instant()));
      accounts.remains().keep(Accounts.extern(job), Leaves.session(session));
      told.accept(last);
    }
  }

  /** Takes the last sample of a job before its processes end. */
  public void sample(Job job) {
    accounts.sample(job);
  }

  /**
   * Gives the record of whatever has no process any more, of a job that nothing can enter. To be
   * called before any of its directories is removed.
   */
  public void settle(Job job) {
    Given known = given(job.id());
    synchronized (known) {
      try {
        settle(job, known);
      } catch (IOException e) {
        LOG.log(WARNING, "cannot read the accounts of job {0}: {1}", job.id(), e.getMessage());
      }
    }
  }

  private void settle(Job job, Given known) throws IOException {
    JobStep extern = Accounts.extern(job);
    known.most = known.most.most(here(job).plus(accounts.remains().of(extern)));
    for (long session : leaves.sessionNumbers(job.id())) {
      if (empty(each -> each.leaf(extern, Leaves.session(session)))) {
        give(job, known, session);
      }
    }
    for (StepId step : leaves.steps(job.id())) {
      if (empty(each -> each.step(new JobStep(job.id(), step))) && known.steps.add(step)) {
        told.accept(accounts.step(job, step, Optional.of(clock.instant())));
      }
    }
    boolean there = tree.identity().job(job.id()).exists();
    if (there && !known.job && empty(each -> each.job(job.id()))) {
      known.job = true;
      Carried gone = known.most.minus(here(job));
      told.accept(accounts.job(job, Optional.of(clock.instant()), gone));
    }
  }

  private Carried here(Job job) {
    return Carried.of(tree.files(each -> each.job(job.id())));
  }

  /** Whether no process is in a directory or below it, in any hierarchy. */
  private boolean empty(Function<Hierarchy, CgroupDirectory> directory) {
    try {
      for (Hierarchy hierarchy : tree.hierarchies()) {
        if (directory.apply(hierarchy).isOccupied()) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot read the processes of {0}: {1}",
          directory.apply(tree.identity()),
          e.getMessage());
      return false;
    }
  }

  public void forget(JobId job) {
    given.remove(job);
    accounts.remains().forget(job);
  }
}
