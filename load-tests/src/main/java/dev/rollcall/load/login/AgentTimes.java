package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.BenchFailedException;
import java.util.Optional;

/**
 * Holds the times that a node's agent has counted since it started, in seconds.
 *
 * @param sessions how many sessions, from the request at its login socket to the reply
 * @param sessionSeconds that these took
 * @param moves how many moves
 * @param moveSeconds that the jobs' owner needed to take the process in, the kernel's part included
 */
record AgentTimes(double sessions, double sessionSeconds, double moves, double moveSeconds) {
  private static final double MICROS = 1e6;

  static AgentTimes of(ClusterNode node) {
    String text =
        node.exec(User.ROOT, "curl", "-fs", "-m", "10", "http://127.0.0.1:7451/metrics")
            .outOrThrow("the metrics of " + node.name());
    return new AgentTimes(
        value(text, "rollcall_adopt_sessions_time_seconds_count"),
        value(text, "rollcall_adopt_sessions_time_seconds_sum"),
        value(text, "rollcall_adopt_moves_seconds_count"),
        value(text, "rollcall_adopt_moves_seconds_sum"));
  }

  private static double value(String text, String metric) {
    return text.lines()
        .filter(line -> line.startsWith(metric + " ") || line.startsWith(metric + "{"))
        .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow(() -> new BenchFailedException("an agent has no metric " + metric));
  }

  AgentTimes since(AgentTimes before) {
    return new AgentTimes(
        sessions - before.sessions,
        sessionSeconds - before.sessionSeconds,
        moves - before.moves,
        moveSeconds - before.moveSeconds);
  }

  AgentTimes plus(AgentTimes more) {
    return new AgentTimes(
        sessions + more.sessions,
        sessionSeconds + more.sessionSeconds,
        moves + more.moves,
        moveSeconds + more.moveSeconds);
  }

  /** The mean, in microseconds, from a request to its reply; nothing where there was none. */
  Optional<Double> meanSession() {
    return sessions == 0 ? Optional.empty() : Optional.of(sessionSeconds / sessions * MICROS);
  }

  /** The mean, in microseconds, of a move; nothing where there was none. */
  Optional<Double> meanMove() {
    return moves == 0 ? Optional.empty() : Optional.of(moveSeconds / moves * MICROS);
  }
}
