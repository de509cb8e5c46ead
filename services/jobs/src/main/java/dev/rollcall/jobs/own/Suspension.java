package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.journal.JobJournalLine;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.tree.Standstill;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.StateResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stops all that is in a job, and lets it go on. SUSPENDED is set first, under the job's lock, so
 * that no session enters any more; then logins that are under way become sessions or are refused;
 * then everything is frozen. Each wait is bounded, and a job that does not stop goes on. The
 * exception is a job whose owner has FUSE servers that do not answer: it stays frozen, and what
 * waits in the kernel for them stops as soon as it leaves it.
 */
final class Suspension {
  private static final System.Logger LOG = System.getLogger(Suspension.class.getName());

  /** For sshd, from being adopted to the user's first process. */
  private static final Duration TO_SETTLE = Duration.ofSeconds(2);

  private static final Duration TO_DIE = Duration.ofMillis(500);

  /** For processes that are in the kernel to come out of it. */
  private static final Duration TO_FREEZE = Duration.ofSeconds(5);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
  private static final Duration FOR_ANOTHER_CALL = Duration.ofSeconds(10);
  private static final String SSHD = "sshd";

  /** A process of a login that is under way, and where it is. */
  private record Login(int pid, CgroupDirectory leaf) {}

  private final JobTree tree;
  private final JobJournal journal;
  private final Signals signals;
  private final Leaves leaves;
  private final Proc procfs;
  private final Standstill standstill;
  private final SilentServers servers;

  Suspension(
      JobTree tree, JobJournal journal, Signals signals, Leaves leaves, SilentServers servers) {
    this.tree = tree;
    this.journal = journal;
    this.signals = signals;
    this.leaves = leaves;
    this.procfs = signals.procfs();
    this.standstill = new Standstill(signals.procfs());
    this.servers = servers;
  }

  StateResult suspend(NativeJob job) {
    return alone(job, () -> suspendAlone(job));
  }

  StateResult resume(NativeJob job) {
    return alone(job, () -> resumeAlone(job));
  }

  @FunctionalInterface
  private interface Change {
    StateResult make() throws IOException;
  }

  /** Under the job's teardown lock; not while it ends, which holds that lock for long. */
  private static StateResult alone(NativeJob job, Change change) {
    if (closing(job)) {
      return new StateResult.Refused("job " + job.id() + " is closing");
    }
    if (!NativeJob.took(job.teardown, FOR_ANOTHER_CALL)) {
      return new StateResult.Refused("job " + job.id() + ": another call is changing it");
    }
    try {
      return change.make();
    } catch (IOException e) {
      return new StateResult.Refused("job " + job.id() + ": " + e.getMessage());
    } finally {
      job.teardown.unlock();
    }
  }

  /** Under the job's lock, so that the list of jobs has the same state afterwards. */
  private static boolean closing(NativeJob job) {
    return job.locked(() -> job.state() == JobState.CLOSING);
  }

  private StateResult suspendAlone(NativeJob job) {
    Optional<StateResult> refused =
        job.locked(() ->
            switch (job.state()) {
              case CLOSED -> Optional.of(new StateResult.NoSuchJob());
              case BEGINNING, CLOSING -> Optional.of(new StateResult.Refused(job.standing()));
              case OPEN -> {
                journal.note(new JobJournalLine.Became(job.id(), JobState.SUSPENDED));
                job.become(JobState.SUSPENDED);
                yield Optional.empty();
              }
              case SUSPENDED -> Optional.empty();
            });
    return refused.orElseGet(() -> stopped(job));
  }

  private StateResult stopped(NativeJob job) {
    CgroupDirectory top = tree.identity().job(job.id());
    try {
      settle(job);
      Freezer freezer = freezer(job.id());
      if (frozen(job, freezer, top)) {
        // An end may have come since.
        return new StateResult.Reached(job.job().in(JobState.SUSPENDED));
      }
      String moving = standstill.unfrozen(top.pidsBelow());
      if (servers.areThere(job.job()) && stillSuspended(job)) {
        LOG.log(
            WARNING,
            "job {0} is suspended; FUSE servers of its owner do not answer, and these processes"
                + " stop when they leave the kernel: {1}",
            job.id(),
            moving);
        return new StateResult.Reached(job.job().in(JobState.SUSPENDED), moving);
      }
      return goesOn(job, "did not stop within %d s: %s".formatted(TO_FREEZE.toSeconds(), moving));
    } catch (IOException e) {
      return goesOn(job, "is not suspended: " + e.getMessage());
    }
  }

  private Freezer freezer(JobId id) throws IOException {
    CgroupDirectory top = tree.identity().job(id);
    return Freezer.of(top).orElseThrow(() -> new IOException(top + " has no freezer"));
  }

  /** Sessions that come now are refused; those that came just before get as far as they must. */
  private void settle(NativeJob job) throws IOException {
    BoundedWait patience = BoundedWait.of(TO_SETTLE);
    List<Login> left = logins(job.job());
    while (!left.isEmpty() && stillSuspended(job) && patience.pause()) {
      left = logins(job.job());
    }
    if (left.isEmpty() || !stillSuspended(job)) {
      return;
    }
    LOG.log(
        WARNING,
        "job {0} is suspended: logins in progress are killed: {1}",
        job.id(),
        left.stream().map(Login::pid).toList());
    for (Login login : left) {
      signals.kill(login.pid(), login.leaf());
    }
    BoundedWait death = BoundedWait.of(TO_DIE);
    while (!logins(job.job()).isEmpty() && death.pause()) {}
  }

  private static boolean frozen(NativeJob job, Freezer freezer, CgroupDirectory top)
      throws IOException {
    BoundedWait patience = BoundedWait.of(TO_FREEZE);
    do {
      if (freezer.freeze(top, patience.atMost(BETWEEN_LOOKS))) {
        return stillSuspended(job);
      }
    } while (stillSuspended(job) && patience.pause());
    return false;
  }

  /** An end of the job does not wait for a suspension. */
  private static boolean stillSuspended(NativeJob job) {
    return job.state() == JobState.SUSPENDED;
  }

  /** Undoes a suspension that did not come off, unless the job ends meanwhile. */
  private StateResult goesOn(NativeJob job, String why) {
    try {
      return job.locked(() -> {
        if (!stillSuspended(job)) {
          return new StateResult.Refused(job.standing());
        }
        thawed(job);
        return new StateResult.Refused("job " + job.id() + " " + why);
      });
    } catch (IOException e) {
      return new StateResult.Refused(
          "job %s %s; and it cannot be thawed: %s".formatted(job.id(), why, e.getMessage()));
    }
  }

  private void thawed(NativeJob job) throws IOException {
    freezer(job.id()).thawHere(tree.identity().job(job.id()));
    journal.note(new JobJournalLine.Became(job.id(), JobState.OPEN));
    job.become(JobState.OPEN);
  }

  private StateResult resumeAlone(NativeJob job) throws IOException {
    return job.locked(() ->
        switch (job.state()) {
          case CLOSED -> new StateResult.NoSuchJob();
          case BEGINNING, CLOSING -> new StateResult.Refused(job.standing());
          case OPEN -> new StateResult.Reached(job.job());
          case SUSPENDED -> {
            thawed(job);
            yield new StateResult.Reached(job.job());
          }
        });
  }

  /** Freezes a suspended job again that another program has thawed, and ends logins in it. */
  void keep(NativeJob job) {
    if (!job.teardown.tryLock()) {
      return;
    }
    try {
      CgroupDirectory top = tree.identity().job(job.id());
      Freezer freezer = freezer(job.id());
      if (stillSuspended(job) && !freezer.asked(top)) {
        LOG.log(WARNING, "job {0} is suspended, but {1} was thawed: frozen again", job.id(), top);
        freezer.ask(top);
      }
      if (stillSuspended(job)) {
        endLate(job);
      }
    } catch (IOException e) {
      LOG.log(WARNING, "job {0} is suspended: {1}", job.id(), e.getMessage());
    } finally {
      job.teardown.unlock();
    }
  }

  /**
   * A login that hangs may move itself when nobody waits for it any more, into a job that is frozen
   * by then. Its user sees the connection close.
   */
  private void endLate(NativeJob job) throws IOException {
    for (Login login : logins(job.job())) {
      LOG.log(
          WARNING,
          "job {0} is suspended: process {1} of a late login is killed",
          job.id(),
          Integer.toString(login.pid()));
      signals.kill(login.pid(), login.leaf());
      if (!tree.identity().v2()) {
        // The v1 freezer keeps it from dying (freezer-subsystem.rst), and its pid from reuse.
        new CgroupDirectory(tree.identity().mount().point()).add(login.pid());
      }
    }
  }

  /**
   * The logins of a job that are under way: sshd was adopted and has not yet become anybody's
   * session. Nothing in its leaf is the owner's then, and sshd (sshd-session from OpenSSH 9.8 on)
   * runs there as root. It must not be frozen: it could not keep its own deadline, and the user
   * would wait for as long as the job is suspended. The same applies to one that is closing.
   */
  private List<Login> logins(Job job) throws IOException {
    List<Login> found = new ArrayList<>();
    for (CgroupDirectory leaf : leaves.sessions(job.id())) {
      List<Integer> pids = leaf.pidsBelow();
      boolean settled = pids.stream().anyMatch(pid -> procfs.isOf(job.uid(), pid));
      if (!settled && pids.stream().anyMatch(pid -> procfs.command(pid).startsWith(SSHD))) {
        pids.forEach(pid -> found.add(new Login(pid, leaf)));
      }
    }
    return found;
  }
}
