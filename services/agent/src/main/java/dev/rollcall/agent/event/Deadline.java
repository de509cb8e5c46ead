package dev.rollcall.agent.event;

import java.time.Duration;

/**
 * A moment of the monotonic clock.
 *
 * @param nanoTime as {@link System#nanoTime} counts
 */
public record Deadline(long nanoTime) {
  /**
   * Time reserved for the move: a cgroup.procs write after a rest waits for an RCU grace period, 5
   * to 8 ms measured on Linux 6.18, several of them on v1. The rest is for the reply and for a node
   * whose processors all have other work: with 50 ms, sessions were refused at a load of 8 for each
   * of two processors.
   */
  public static final Duration FOR_THE_MOVE = Duration.ofMillis(100);

  public static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  /** The time that is left; zero after the deadline. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }

  /** The time for waiting and questions before the move; zero when none is left. */
  public Duration leftBeforeMove() {
    Duration left = left().minus(FOR_THE_MOVE);
    return left.isNegative() ? Duration.ZERO : left;
  }

  public boolean passed() {
    return nanoTime - System.nanoTime() <= 0;
  }
}
