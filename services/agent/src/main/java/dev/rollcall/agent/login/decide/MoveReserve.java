package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.Deadline;
import java.time.Duration;

/** Time that is kept back for what comes after the decision. */
final class MoveReserve {
  /**
   * A cgroup.procs write after a rest waits for an RCU grace period: 5 to 8 ms measured on Linux
   * 6.18, several of them on v1. The rest is for the reply and for a node whose processors all have
   * other work: with 50 ms, sessions were refused at a load of 8 for each of two processors.
   */
  static final Duration FOR_THE_MOVE = Duration.ofMillis(100);

  private MoveReserve() {}

  /** What may be spent on waiting and asking; zero when nothing is left. */
  static Duration before(Deadline deadline) {
    Duration left = deadline.left().minus(FOR_THE_MOVE);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
