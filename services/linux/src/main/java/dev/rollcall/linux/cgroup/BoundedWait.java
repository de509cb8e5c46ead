package dev.rollcall.linux.cgroup;

import java.time.Duration;

/**
 * Waits, up to a limit, for a kernel state without events, by reading it again after pauses. Pauses
 * grow from 1 to 16 ms. Not for use by several threads.
 */
public final class BoundedWait {
  private static final long LONGEST_MS = 16;
  private static final long LONGEST_CALM_MS = 100;

  private final long end;
  private final long longestMs;
  private long pauseMs = 1;

  private BoundedWait(long end, long longestMs) {
    this.end = end;
    this.longestMs = longestMs;
  }

  public static BoundedWait of(Duration time) {
    return new BoundedWait(System.nanoTime() + time.toNanos(), LONGEST_MS);
  }

  /** Never longer than this one. */
  public BoundedWait atMost(Duration time) {
    long other = System.nanoTime() + time.toNanos();
    return new BoundedWait(other - end < 0 ? other : end, longestMs);
  }

  /** As long as this one, with pauses that grow to 100 ms: for waits of seconds. */
  public BoundedWait calm() {
    return new BoundedWait(end, LONGEST_CALM_MS);
  }

  public Duration left() {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /**
   * Waits a little.
   *
   * @return false, at once, when the time is up or the thread is interrupted
   */
  public boolean pause() {
    long pause = nextMs();
    if (pause == 0) {
      return false;
    }
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return true;
  }

  /** The next pause, for callers that wait by a timer; zero when the time is up. */
  public Duration next() {
    return Duration.ofMillis(nextMs());
  }

  private long nextMs() {
    long pause = Math.min(pauseMs, left().toMillis());
    pauseMs = Math.min(2 * pauseMs, longestMs);
    return pause;
  }
}
