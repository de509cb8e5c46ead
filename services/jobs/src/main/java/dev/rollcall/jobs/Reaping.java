package dev.rollcall.jobs;

import dev.rollcall.jobs.usage.LastAccounts;
import dev.rollcall.model.JobState;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Gives the accounts of sessions that are over, and removes their leaves, while nobody waits for
 * it: a login's answer does not. One thread, which is there for as long as there is something to
 * do. Thread-safe.
 */
final class Reaping implements AutoCloseable {
  private static final int REAPED_PER_SESSION = 2;
  private static final long IDLE_SECONDS = 1;

  /** On a busy node this thread would else take the processor from the reply. */
  private static final long AFTER_THE_REPLY_MS = 5;

  private final LastAccounts accounts;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().daemon().name("rollcall-reaper").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  Reaping(LastAccounts accounts) {
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
    var _ =
        thread.schedule(
            () -> {
              first.run();
              some(job);
            },
            AFTER_THE_REPLY_MS,
            TimeUnit.MILLISECONDS);
  }

  /** The lock is let go in between, for a login that comes meanwhile. */
  private void some(NativeJob job) {
    for (int each = 0; each < REAPED_PER_SESSION; each++) {
      job.lock.lock();
      try {
        // An end gives the accounts itself.
        if (job.state() == JobState.OPEN && !job.sessions.isEmpty()) {
          oldest(job);
        }
      } finally {
        job.lock.unlock();
      }
    }
  }

  private void oldest(NativeJob job) {
    long session = job.sessions.removeFirst();
    if (!accounts.closed(job.job(), session)) {
      job.sessions.addLast(session);
    }
  }

  /** What is not begun yet is left to the next start. */
  @Override
  public void close() {
    thread.getQueue().clear();
    thread.shutdown();
  }
}
