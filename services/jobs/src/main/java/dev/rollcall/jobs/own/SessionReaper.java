package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.model.JobState;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives the last accounts of ended sessions and removes their leaves: at most two for each login,
 * and all of a job's at periodic checks and when processes are listed. After logins it waits for an
 * idle period, because a removal takes the kernel's lock that a move needs. One thread, which
 * exists only while there is something to do. Thread-safe.
 */
final class SessionReaper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SessionReaper.class.getName());
  private static final int REAPED_PER_SESSION = 2;
  private static final long IDLE_SECONDS = 1;

  /** So long after a login another one of a row would have come. */
  private static final Duration LULL = Duration.ofMillis(12);

  /** Work that waits longer is done between logins. */
  private static final Duration LONGEST = Duration.ofMillis(250);

  /** A session that began. */
  private record Begun(long atNanos, NativeJob job, Runnable first) {}

  private final Leaves leaves;
  private final LastAccounts accounts;
  private final Queue<Begun> begun = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean looksAgain = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().daemon().name("rollcall-reaper").factory(),
          new ThreadPoolExecutor.DiscardPolicy());
  private volatile long lastLogin;

  SessionReaper(Leaves leaves, LastAccounts accounts) {
    this.leaves = leaves;
    this.accounts = accounts;
    thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * A session of this job began: twice as many as come are looked at, so that none piles up.
   * Returns at once. After the close nothing is done; the next start does it.
   *
   * @param first what else the session's login need not wait for
   */
  void after(NativeJob job, Runnable first) {
    lastLogin = System.nanoTime();
    begun.add(new Begun(lastLogin, job, first));
    lookAgain(LULL.toNanos());
  }

  private void lookAgain(long nanos) {
    if (looksAgain.compareAndSet(false, true)) {
      var _ = thread.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void look() {
    looksAgain.set(false);
    try {
      for (Begun next = begun.peek(); next != null && untilDue(next) <= 0; next = begun.peek()) {
        begun.remove();
        next.first().run();
        some(next.job());
      }
    } finally {
      Begun next = begun.peek();
      if (next != null) {
        lookAgain(Math.max(0, untilDue(next)));
      }
    }
  }

  private long untilDue(Begun session) {
    long now = System.nanoTime();
    return Math.min(lastLogin + LULL.toNanos() - now, session.atNanos() + LONGEST.toNanos() - now);
  }

  /** The lock is let go in between, for a login that comes meanwhile. */
  private void some(NativeJob job) {
    for (int each = 0; each < REAPED_PER_SESSION; each++) {
      job.locked(() -> {
        // An end gives the accounts itself.
        if (job.state() == JobState.OPEN && !job.sessions.isEmpty()) {
          oldest(job);
        }
      });
    }
  }

  private void oldest(NativeJob job) {
    long session = job.sessions.removeFirst();
    if (!accounts.closed(job.job(), session)) {
      job.sessions.addLast(session);
    }
  }

  /**
   * Reaps all of a job's. Waits for the lock: for periodic checks.
   *
   * @param patience when it is over, only if nobody has the lock
   */
  void reap(NativeJob job, BoundedWait patience) {
    if (NativeJob.took(job.lock, patience.left())) {
      reapLocked(job);
    }
  }

  /** Does nothing during a begin or an adoption, because it would see the state before that. */
  void reapAtOnce(NativeJob job) {
    if (job.lock.tryLock()) {
      reapLocked(job);
    }
  }

  private void reapLocked(NativeJob job) {
    try {
      if (job.state() == JobState.OPEN) {
        for (long session : leaves.sessionNumbers(job.id())) {
          accounts.closed(job.job(), session);
        }
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot reap sessions of job {0}: {1}", job.id(), e.getMessage());
    } finally {
      job.lock.unlock();
    }
  }

  /** The next start does the work that has not begun. */
  @Override
  public void close() {
    begun.clear();
    thread.getQueue().clear();
    thread.shutdown();
  }
}
