package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.Daemon;
import java.util.Optional;

/**
 * A process of Rollcall's as it was seen at some moment.
 *
 * @param about "agent of node1"
 */
record Life(String about, long pid, boolean isAlive) {
  static Life of(Daemon daemon) {
    long pid = daemon.pid();
    return new Life(daemon.toString(), pid, daemon.isAlive());
  }

  /**
   * What is wrong with it, if anything: nothing but a fault of the plan ends an agent or a gateway.
   *
   * @param before the same as it was seen last
   * @param isPlanned whether such a fault was there in between
   * @param now milliseconds of the soak
   */
  Optional<Violation> violation(Life before, boolean isPlanned, long now) {
    return isPlanned || (isAlive && pid == before.pid)
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "lives",
                now,
                about,
                "process %d, alive".formatted(before.pid),
                "process %d, %s".formatted(pid, isAlive ? "alive" : "ended")));
  }
}
