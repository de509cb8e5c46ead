package dev.rollcall.cli.top;

import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.job.JobPrinter;
import dev.rollcall.cli.node.NodesCommand;
import dev.rollcall.cli.session.SessionPrinter;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.NodeState;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One screen of {@code top}: lines that fit. */
public final class TopFrame {
  private static final Duration WHILE = Duration.ofSeconds(10);
  private static final int PARTS = 3;

  private final SessionPrinter sessions;
  private final JobPrinter jobs;

  public TopFrame(Users users) {
    sessions = new SessionPrinter(users);
    jobs = new JobPrinter(users);
  }

  /**
   * At most {@code height} lines of at most {@code width} characters. What does not fit is counted.
   */
  public List<String> lines(TopSight sight, int width, int height) {
    List<String> lines = new ArrayList<>();
    lines.add(summary(sight));
    if (!sight.problem().isEmpty()) {
      lines.add("! " + sight.problem());
    }
    // The longest part is the last, which gets what the others leave.
    lines.addAll(part(nodes(sight), (height - lines.size()) / PARTS));
    lines.addAll(part(jobs.table(sight.jobs()), (height - lines.size()) / 2));
    lines.addAll(part(sessions(sight), height - lines.size()));
    return lines.stream().limit(height).map(line -> cut(line, width)).toList();
  }

  JsonFields json(TopSight sight) {
    return new JsonFields()
        .with("at", sight.at().toString())
        .with("nodes", sight.nodes().stream().map(NodesCommand::json).toList())
        .with("jobs", sight.jobs().stream().map(jobs::json).toList())
        .with("sessions", sight.sessions().stream().map(sessions::json).toList())
        .with("decisions_per_second", sight.decisionsPerSecond(WHILE))
        .with("problem", sight.problem());
  }

  private static String summary(TopSight sight) {
    long lost =
        sight.nodes().stream().filter(node -> node.getState() == NodeState.NODE_STATE_LOST).count();
    return String.format(
        Locale.ROOT,
        "%tFT%<tT.%<tLZ  nodes %d%s  jobs %d  sessions %d  decisions %.1f/s",
        sight.at().atOffset(ZoneOffset.UTC),
        sight.nodes().size(),
        lost == 0 ? "" : " (" + lost + " lost)",
        sight.jobs().stream().map(Job::getJobId).distinct().count(),
        sight.live(),
        sight.decisionsPerSecond(WHILE));
  }

  /** An empty line, the heads, and as many rows as fit. */
  private static List<String> part(Table table, int height) {
    List<String> rows = table.lines();
    List<String> lines = new ArrayList<>();
    if (height < PARTS) {
      return lines;
    }
    lines.add("");
    int room = height - 1;
    if (rows.size() <= room) {
      lines.addAll(rows);
    } else {
      lines.addAll(rows.subList(0, room - 1));
      lines.add("... and " + (rows.size() - room + 1) + " more");
    }
    return lines;
  }

  private static Table nodes(TopSight sight) {
    return NodesCommand.table(sight.nodes()).only("NODE", "STATE", "JOBS", "CALLS BY", "VERSION");
  }

  private Table sessions(TopSight sight) {
    return sessions
        .table(sight.sessions())
        .only("SESSION", "USER", "JOB", "OUTCOME", "REASON", "LIVE", "FROM");
  }

  private static String cut(String line, int width) {
    String plain = TerminalText.of(line);
    return plain.length() <= width ? plain : plain.substring(0, width);
  }
}
