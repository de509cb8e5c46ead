package dev.rollcall.jobs.own;

import dev.rollcall.jobs.JobList;
import dev.rollcall.jobs.LockedJob;
import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.journal.JobJournalLine;
import dev.rollcall.jobs.journal.JournalState;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.Jobs.EndOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One job and what its two locks protect. {@link #lock} covers the state and every change of what
 * is in the job: an adoption holds it from the look at the state to the process read back, so that
 * nothing enters once SUSPENDED or CLOSING is set. {@link #teardown} covers the stopping and the
 * killing, which may take seconds, so that an adoption is refused at once meanwhile. Order:
 * teardown before lock.
 */
final class NativeJob extends LockedJob {
  private static final Map<JobState, Set<JobState>> NEXT =
      Map.of(
          JobState.BEGINNING, Set.of(JobState.OPEN, JobState.CLOSED),
          JobState.OPEN, Set.of(JobState.SUSPENDED, JobState.CLOSING),
          JobState.SUSPENDED, Set.of(JobState.OPEN, JobState.CLOSING),
          JobState.CLOSING, Set.of(JobState.CLOSED),
          JobState.CLOSED, Set.of());

  final ReentrantLock teardown = new ReentrantLock();

  /** Sessions that came since the start, those longest not looked at first. Under lock. */
  final Deque<Long> sessions = new ArrayDeque<>();

  /** Whether a timer goes on with its end. */
  final AtomicBoolean timer = new AtomicBoolean();

  /** The thread that works on its end, and since when. */
  record AtWork(Thread thread, long sinceNanos) {}

  private volatile Optional<AtWork> atWork = Optional.empty();
  private volatile Allocation allocation;
  private volatile Map<StepId, Allocation> stepAllocations;
  private volatile Grace grace = Grace.of(Duration.ZERO);
  private volatile String endMessage = "";

  /** Whether its end sends SIGTERM and has not yet. Under teardown. */
  volatile boolean awaitsSigterm;

  /** Whether its sessions got SIGTERM. Under teardown. */
  volatile boolean sessionsSignalled;

  private long lastSession;
  private long reservedSessions;

  /** A job that begins. */
  NativeJob(Job job, Allocation allocation, JobList list) {
    this(job, allocation, Map.of(), list, 0, JournalState.FIRST_SESSIONS);
  }

  /**
   * @param allocation NONE if it is not known
   * @param stepAllocations of those steps that have limits or devices of their own
   * @param lastSession the number of the last session, 0 before the first
   * @param reservedSessions the highest number that the journal covers
   */
  NativeJob(
      Job job,
      Allocation allocation,
      Map<StepId, Allocation> stepAllocations,
      JobList list,
      long lastSession,
      long reservedSessions) {
    super(job, list);
    this.allocation = allocation;
    this.stepAllocations = Map.copyOf(stepAllocations);
    this.lastSession = lastSession;
    this.reservedSessions = reservedSessions;
  }

  /** The setup of its sessions and steps. */
  SessionSetup setup() {
    return SessionSetup.of(allocation, job().gid());
  }

  /** The allocation of the job, as it is journalled. */
  Allocation allocation() {
    return allocation;
  }

  /** The allocation of the job, or of one of its steps. */
  Allocation allocation(Optional<StepId> step) {
    return step.map(each -> stepAllocations.getOrDefault(each, Allocation.NONE)).orElse(allocation);
  }

  /** Journals what it, or one of its steps, is given from now on. Under the lock. */
  void allocated(Optional<StepId> step, Allocation changed, JobJournal journal) throws IOException {
    journal.appendUnforced(new JobJournalLine.Allocated(id(), step, changed));
    if (step.isPresent()) {
      Map<StepId, Allocation> own = new HashMap<>(stepAllocations);
      own.put(step.get(), changed);
      stepAllocations = Map.copyOf(own);
    } else {
      allocation = changed;
    }
  }

  /** The steps that have limits or devices of their own, and these. */
  Map<StepId, Allocation> stepAllocations() {
    return stepAllocations;
  }

  /**
   * Moves on. Under the lock.
   *
   * @throws IllegalStateException for a move that is not drawn
   */
  void become(JobState next) {
    JobState now = state();
    if (!NEXT.getOrDefault(now, Set.of()).contains(next)) {
      throw new IllegalStateException("job " + id() + " cannot go from " + now + " to " + next);
    }
    set(job().in(next));
    publish();
  }

  /** Takes one of a job's locks; false if another thread keeps it so long, or on an interrupt. */
  static boolean took(ReentrantLock lock, Duration most) {
    try {
      return lock.tryLock(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Begins to close; what is in it may live for the order's grace. Under the lock. */
  void close(EndOrder order) {
    grace = Grace.of(order.grace());
    endMessage = order.message();
    awaitsSigterm = !order.grace().isZero();
    become(JobState.CLOSING);
  }

  /** Takes the message that its terminals have yet to get. Under teardown. */
  String takeEndMessage() {
    String message = endMessage;
    endMessage = "";
    return message;
  }

  /** An end that is under way gets no more time than this from now on. Under the lock. */
  void hurry(Duration grace) {
    if (grace.compareTo(this.grace.left()) < 0) {
      this.grace = Grace.of(grace);
    }
  }

  /** How long what is left in a CLOSING job may still live. */
  Grace grace() {
    return grace;
  }

  /** Which thread is at its end now, if one is. Under the teardown lock. */
  void atWork(Optional<Thread> thread) {
    atWork = thread.map(each -> new AtWork(each, System.nanoTime()));
  }

  Optional<AtWork> atWork() {
    return atWork;
  }

  /** Is no job after all, and never was one to anybody. Under the lock. */
  void vanish() {
    set(job().in(JobState.CLOSED));
  }

  /** The number of the next session. Under the lock. */
  long nextSession() {
    return ++lastSession;
  }

  /** Whether the number is beyond what the journal covers. Under the lock. */
  boolean beyondReserved(long session) {
    return session > reservedSessions;
  }

  void reserveTo(long session) {
    reservedSessions = session;
  }
}
