package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.journal.JobJournalLine;
import dev.rollcall.jobs.tree.Census;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Standstill;
import dev.rollcall.jobs.untrusted.TerminalSender;
import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.EndInSteps;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Ends jobs: CLOSING at once, so that no process can enter; then SIGTERM and the grace, if there is
 * one, to the steps and after them to the sessions; then the kill; CLOSED when nothing is left.
 */
final class Ending {
  private static final System.Logger LOG = System.getLogger(Ending.class.getName());

  /** The time that a message on a terminal takes to its user, who may be far away. */
  private static final Duration TO_READ = Duration.ofMillis(200);

  /** For a message to be written; the end goes on without it after that. */
  private static final Duration TO_WRITE = Duration.ofMillis(200);

  /** For a tracer or a file server that lets a killed process end in its own time. */
  private static final Duration TO_LET_GO = Duration.ofSeconds(1);

  /** For process 1 of a pid namespace to end, of a job that did not begin. */
  private static final Duration TO_UNDO = Duration.ofSeconds(2);

  /** For the kill, until other ends have their turn on the thread. */
  private static final Duration OF_A_STEP = Duration.ofSeconds(1);

  /** For the kill of a job whose end nobody waits for; after that, the sweep. */
  private static final Duration UNWATCHED = Duration.ofSeconds(30);

  /** Sessions and the kill wait at most so long, if no request waits for the end. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Signals signals;
  private final JobTree tree;
  private final JobJournal journal;
  private final Census census;
  private final Standstill standstill;
  private final LastAccounts accounts;
  private final Containment containment;
  private final TerminalSender terminals;
  private final Tracers tracers;
  private final SilentServers servers;
  private final EndSignal endSignal;
  private final Consumer<NativeJob> closed;

  /**
   * @param closed called with a job that is CLOSED, under its lock
   */
  Ending(
      JobTree tree,
      Signals signals,
      JobJournal journal,
      LastAccounts accounts,
      Containment containment,
      TerminalSender terminals,
      Tracers tracers,
      SilentServers servers,
      EndSignal endSignal,
      Consumer<NativeJob> closed) {
    this.signals = signals;
    this.tree = tree;
    this.journal = journal;
    this.census = new Census(tree, signals.procfs());
    this.standstill = new Standstill(signals.procfs());
    this.accounts = accounts;
    this.containment = containment;
    this.terminals = terminals;
    this.tracers = tracers;
    this.servers = servers;
    this.endSignal = endSignal;
    this.closed = closed;
  }

  EndResult end(NativeJob job, EndOrder order) {
    return inSteps(job, order).result();
  }

  /** Goes on with an end that was not clean, with what is left of its grace. */
  EndResult again(NativeJob job, Duration within) {
    return new Attempt(job, within).result();
  }

  /** Makes the job CLOSING; the rest is done in steps. */
  Attempt inSteps(NativeJob job, EndOrder order) {
    boolean first =
        job.locked(() -> {
          boolean open = job.state() != JobState.CLOSING && job.state() != JobState.CLOSED;
          if (open) {
            job.close(order);
          } else {
            job.hurry(order.grace());
          }
          return open;
        });
    if (first) {
      journal.note(new JobJournalLine.Became(job.id(), JobState.CLOSING));
      accounts.sample(job.job());
    }
    return new Attempt(job, order.within());
  }

  /** One request's work on an end. Another request may do the next step, or all of them. */
  final class Attempt implements EndInSteps {
    private final NativeJob job;
    private final BoundedWait patience;
    private final BoundedWait pauses;
    private final Termination termination;
    private Optional<Teardown> teardown = Optional.empty();

    private Attempt(NativeJob job, Duration within) {
      this.job = job;
      this.patience = BoundedWait.of(within);
      this.pauses = patience.calm();
      this.termination = termination(job);
    }

    /** Waits for it on this thread. */
    private EndResult result() {
      Optional<EndResult> result = step();
      while (result.isEmpty()) {
        LockSupport.parkNanos(pause().toNanos());
        result = step();
      }
      return result.get();
    }

    /** Until the grace ends at the latest, so that the kill is in time. */
    @Override
    public Duration pause() {
      Duration grace = job.grace().left();
      Duration pause = pauses.next();
      return grace.isZero() || pause.compareTo(grace) < 0 ? pause : grace;
    }

    @Override
    public Optional<EndResult> step() {
      if (!job.teardown.tryLock()) {
        return isTimeUp() ? Optional.of(held()) : Optional.empty();
      }
      job.atWork(Optional.of(Thread.currentThread()));
      try {
        return job.state() == JobState.CLOSED ? Optional.of(new EndResult.Clean(0)) : next();
      } catch (IOException e) {
        later(job);
        return Optional.of(unclean(job, 0, String.valueOf(e.getMessage())));
      } finally {
        job.atWork(Optional.empty());
        job.teardown.unlock();
      }
    }

    private boolean isTimeUp() {
      return patience.left().toMillis() == 0 || Thread.currentThread().isInterrupted();
    }

    private EndResult held() {
      later(job);
      return new EndResult.Unclean(
          0, census.of(job.id()), "job " + job.id() + ": another call is changing it");
    }

    private Optional<EndResult> next() throws IOException {
      start(job, termination, patience);
      if (teardown.isEmpty() && !termination.isOver()) {
        return isTimeUp() ? Optional.of(stillInGrace()) : Optional.empty();
      }
      return tornDown();
    }

    private EndResult stillInGrace() throws IOException {
      later(job);
      String reason =
          "job " + job.id() + " may live for another " + job.grace().left().toMillis() + " ms";
      return unclean(job, signals.over(termination.told()), reason);
    }

    private Optional<EndResult> tornDown() throws IOException {
      Teardown down = teardown.orElseGet(() -> teardown(job, termination.told()));
      teardown = Optional.of(down);
      if (!down.run(patience.atMost(OF_A_STEP))) {
        return isTimeUp()
            ? Optional.of(unclean(job, down.ended(), down.obstacle()))
            : Optional.empty();
      }
      return Optional.of(removed(job, down));
    }
  }

  /** Shows the message, once, and sends SIGTERM, unless an earlier call did. */
  private void start(NativeJob job, Termination termination, BoundedWait patience)
      throws IOException {
    String message = job.takeEndMessage();
    if (!message.isEmpty() && told(job, message, patience) > 0) {
      await(patience.atMost(TO_READ));
    }
    if (job.awaitsSigterm) {
      termination.start();
      job.awaitsSigterm = false;
    }
  }

  private Termination termination(NativeJob job) {
    return new Termination(tree, signals, job, endSignal);
  }

  /** Returns how many terminals took it. */
  private int told(NativeJob job, String message, BoundedWait patience) {
    return terminals.send(
        job.job(),
        message,
        () -> tree.identity().job(job.id()).pidsBelow(),
        patience.atMost(TO_WRITE).left());
  }

  private static void await(BoundedWait patience) {
    while (patience.pause()) {}
  }

  /**
   * Goes on with an end that no request waits for: signals the sessions when their time has come,
   * and kills when nothing runs or the grace is over. A job has one timer, whatever the number of
   * requests.
   */
  private void later(NativeJob job) {
    if (!job.timer.compareAndSet(false, true)) {
      return;
    }
    Duration left = job.grace().left();
    Duration until = left.compareTo(BETWEEN_LOOKS) < 0 ? left : BETWEEN_LOOKS;
    CompletableFuture.delayedExecutor(
            until.toMillis() + 1, TimeUnit.MILLISECONDS, work -> thread(job, work))
        .execute(() -> goOn(job));
  }

  private void goOn(NativeJob job) {
    boolean over;
    try {
      over = isOver(job);
      if (over
          && job.state() != JobState.CLOSED
          && again(job, UNWATCHED) instanceof EndResult.Clean(int killed)) {
        LOG.log(INFO, "job {0} has ended, killed: {1}", job.id(), killed);
      }
    } finally {
      job.timer.set(false);
    }
    if (!over) {
      later(job);
    }
  }

  /** Whether the job is to be killed; meanwhile does what is due. */
  private boolean isOver(NativeJob job) {
    if (job.teardown.tryLock()) {
      try {
        // The directories of a CLOSED job may be those of another one with its number.
        if (job.state() == JobState.CLOSED) {
          return true;
        }
        Termination termination = termination(job);
        start(job, termination, BoundedWait.of(TO_WRITE.plus(TO_READ)));
        return termination.isOver();
      } catch (IOException e) {
        LOG.log(WARNING, "cannot signal the processes of job {0}: {1}", job.id(), e.getMessage());
      } finally {
        job.teardown.unlock();
      }
    }
    return job.grace().left().isZero();
  }

  /**
   * A thread for one end. Not a virtual one: a system call that hangs would hold one of the few
   * threads that carry them all.
   */
  static Thread thread(NativeJob job, Runnable work) {
    return Thread.ofPlatform().daemon().name("rollcall-end-" + job.id()).start(work);
  }

  private Teardown teardown(NativeJob job, BitSet told) {
    return new Teardown(tree, signals, job.id(), told, () -> beforeRemoval(job));
  }

  private EndResult removed(NativeJob job, Teardown teardown) throws IOException {
    int ended = teardown.ended(); // once it is closed, the next job may have its directories
    try {
      containment.delete(job.job());
    } catch (IOException e) {
      return unclean(job, ended, "its container: " + e.getMessage());
    }
    job.locked(() -> {
      journal.note(new JobJournalLine.Became(job.id(), JobState.CLOSED));
      close(job);
    });
    return new EndResult.Clean(ended);
  }

  private void beforeRemoval(NativeJob job) throws IOException {
    accounts.settle(job.job());
    if (job.grace().overdue().compareTo(TO_LET_GO) > 0) {
      tracers.end(job.job(), tree.identity().job(job.id()).pidsBelow());
      servers.abort(job.job(), tree.identity().job(job.id()).pidsBelow());
    }
  }

  private EndResult unclean(NativeJob job, int ended, String obstacle) {
    List<JobProcess> left = census.of(job.id());
    String reason = left.isEmpty() ? obstacle : obstacle + "; left: " + standstill.text(left);
    LOG.log(WARNING, "cannot end job {0}: {1}", job.id(), reason);
    return new EndResult.Unclean(ended, left, reason);
  }

  /** Removes all of a job that did not begin. Under its lock. */
  void undo(NativeJob job) {
    var down = new Teardown(tree, signals, job.id());
    if (!down.run(BoundedWait.of(TO_UNDO))) {
      LOG.log(WARNING, "job {0} did not start, and stays: {1}", job.id(), down.obstacle());
    }
    containment.undo(job.job());
    close(job);
  }

  /**
   * Nothing is left of the job. Under its lock. It is out of the list before another may begin with
   * its id, since the list knows jobs by their ids.
   */
  void close(NativeJob job) {
    job.become(JobState.CLOSED);
    closed.accept(job);
  }
}
