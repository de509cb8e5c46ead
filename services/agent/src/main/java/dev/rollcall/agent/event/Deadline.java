package dev.rollcall.agent.event;

import java.time.Duration;

/**
 * A moment of the monotonic clock.
 *
 * @param nanoTime as {@link System#nanoTime} counts
 */
public record Deadline(long nanoTime) {
  public static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  /** What is left; zero when it has passed. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }

  public boolean passed() {
    return nanoTime - System.nanoTime() <= 0;
  }
}
