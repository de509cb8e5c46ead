package dev.rollcall.jobs.own;

import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.model.JobState;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives the last accounts of ended sessions and removes their leaves, at most two for each login.
 * It does so in idle periods after logins, because a removal takes the kernel's lock that a move
 * needs. {@link FullReaper} does it for all of a job's. One thread, which exists only while there
 * is something to do. Thread-safe.
 */
final class GradualReaper implements AutoCloseable {
  private static final int REAPED_PER_SESSION = 2;
  private static final long IDLE_SECONDS = 1;

  /** So long after a login another one of a row would have come. */
  private static final Duration LULL = Duration.ofMillis(12);

  /** Work that waits longer is done between logins. */
  private static final Duration LONGEST = Duration.ofMillis(250);

  /** A session that began. */
  private record Begun(long atNanos, NativeJob job, Runnable first) {}

  private final LastAccounts accounts;
  private final Queue<Begun> begun = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean looksAgain = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().daemon().name("rollcall-reaper").factory(),
          new ThreadPoolExecutor.DiscardPolicy());
  private volatile long lastLogin;

  GradualReaper(LastAccounts accounts) {
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

  /** The next start does the work that has not begun. */
  @Override
  public void close() {
    begun.clear();
    thread.getQueue().clear();
    thread.shutdown();
  }
}
