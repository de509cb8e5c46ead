package dev.rollcall.cli.top;

import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Holds the data that {@code top} shows at one moment.
 *
 * @param problem why something is missing; empty if nothing is
 */
public record TopSight(
    Instant at, List<Node> nodes, List<Job> jobs, List<Session> sessions, String problem) {
  public TopSight {
    nodes = List.copyOf(nodes);
    jobs = List.copyOf(jobs);
    sessions = List.copyOf(sessions);
  }

  /** Decisions within a while before now, by second. */
  double decisionsPerSecond(Duration within) {
    Instant since = at.minus(within);
    long count =
        sessions.stream()
            .map(session -> session.getAdoption().getDecidedAt())
            .map(time -> Instant.ofEpochSecond(time.getSeconds(), time.getNanos()))
            .filter(time -> time.isAfter(since) && !time.isAfter(at))
            .count();
    return (double) count / within.toSeconds();
  }

  long live() {
    return sessions.stream().filter(Session::getLive).count();
  }
}
