package dev.rollcall.cli.session;

import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.ReasonText;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.Connection;
import dev.rollcall.proto.v1.Endpoint;
import dev.rollcall.proto.v1.ExplainResponse;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.proto.v1.Session;
import dev.rollcall.settings.HostPort;
import java.util.List;
import java.util.stream.Collectors;

/** Decisions about sessions, for people and for programs. */
public record SessionPrinter(Users users) {
  private static final int NANOS_OF_A_MS = 1_000_000;

  /** All that one decision was made from, a line each. */
  String text(ExplainResponse told) {
    Adoption adoption = told.getAdoption();
    var text = new StringBuilder();
    line(text, "session", adoption.getAdoptionId());
    line(text, "node", adoption.getNode());
    line(text, "user", user(adoption));
    line(text, "service", adoption.getService());
    line(text, "call", call(adoption));
    line(text, "outcome", outcome(adoption) + inJob(adoption) + would(adoption));
    if (moved(adoption, told.getJobsNowList())) {
      line(text, "now", now(adoption, told.getJobsNowList()));
    }
    line(text, "reason", adoption.getReason() + ": " + ReasonText.clause(adoption.getReason()));
    if (!adoption.getDoubt().isEmpty()) {
      line(text, "doubt", adoption.getDoubt());
    }
    line(
        text,
        "decided",
        Values.clock(adoption.getDecidedAt()) + ", within " + tookMs(adoption) + " ms");
    return text.toString().stripTrailing();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name)
        .repeat(' ', 9 - name.length())
        .append(TerminalText.of(value))
        .append(System.lineSeparator());
  }

  /** Whether something of a session is in another job than at its login. */
  private static boolean moved(Adoption adoption, List<Long> jobsNow) {
    return jobsNow.stream().anyMatch(job -> job != adoption.getJob().getJobId());
  }

  private static String now(Adoption adoption, List<Long> jobsNow) {
    return jobsNow.size() == 1
        ? "in job " + jobsNow.getFirst() + ", moved there from " + atLogin(adoption)
        : "in jobs " + commas(jobsNow) + ", some of it moved there from " + atLogin(adoption);
  }

  private static String atLogin(Adoption adoption) {
    return adoption.hasJob() ? "job " + adoption.getJob().getJobId() : "no job";
  }

  private static String commas(List<Long> jobs) {
    return jobs.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static String inJob(Adoption adoption) {
    return adoption.hasJob()
        ? " into job " + adoption.getJob().getJobId() + ", step " + adoption.getJob().getStep()
        : "";
  }

  private static String would(Adoption adoption) {
    return switch (adoption.getWould()) {
      case OUTCOME_ADOPTED ->
          ", audit-only: would have been adopted into job " + adoption.getWouldJobId();
      case OUTCOME_DENIED -> ", audit-only: would have been denied";
      default -> "";
    };
  }

  /** One line, for those who watch. */
  String line(Adoption adoption) {
    return TerminalText.of(
        String.join(
            "  ",
            Values.clock(adoption.getDecidedAt()),
            adoption.getAdoptionId(),
            user(adoption),
            "from " + from(adoption),
            outcome(adoption) + inJob(adoption) + would(adoption),
            adoption.getReason()
                + (adoption.getDoubt().isEmpty() ? "" : ": " + adoption.getDoubt())));
  }

  /** A line each, for people. */
  public Table table(List<Session> sessions) {
    var table = new Table("SESSION", "USER", "JOB", "OUTCOME", "REASON", "FROM", "DECIDED", "LIVE");
    for (Session session : sessions) {
      Adoption adoption = session.getAdoption();
      table.row(
          adoption.getAdoptionId(),
          user(adoption),
          job(session),
          outcome(adoption),
          adoption.getReason(),
          from(adoption),
          Values.clock(adoption.getDecidedAt()),
          session.getLive() ? "yes" : "no");
    }
    return table;
  }

  public JsonFields json(Session session) {
    return json(session.getAdoption())
        .with("live", session.getLive())
        .with("jobs_now", session.getJobsNowList());
  }

  public JsonFields json(ExplainResponse told) {
    return json(told.getAdoption()).with("jobs_now", told.getJobsNowList());
  }

  public JsonFields json(Adoption adoption) {
    boolean watched = adoption.getWould() != Outcome.OUTCOME_UNSPECIFIED;
    boolean known = adoption.hasConnection();
    return new JsonFields()
        .with("session", adoption.getAdoptionId())
        .with("node", adoption.getNode())
        .with("user", user(adoption))
        .with("uid", Integer.toUnsignedLong(adoption.getUid()))
        .with("service", adoption.getService())
        .with("outcome", outcome(adoption))
        .with("job", adoption.hasJob() ? adoption.getJob().getJobId() : null)
        .with("step", adoption.hasJob() ? adoption.getJob().getStep() : null)
        .with("reason", adoption.getReason())
        .with("would", watched ? Values.state(adoption.getWould(), "OUTCOME_") : null)
        .with("would_job", adoption.getWouldJobId() == 0 ? null : adoption.getWouldJobId())
        .withText("doubt", adoption.getDoubt())
        .with("local", known ? end(adoption.getConnection().getLocal()) : null)
        .with("remote", known ? end(adoption.getConnection().getRemote()) : null)
        .with("decided_at", Values.time(adoption.getDecidedAt()))
        .with("took_ms", tookMs(adoption));
  }

  private String user(Adoption adoption) {
    return users.nameOf(adoption.getUid());
  }

  private static String outcome(Adoption adoption) {
    Outcome outcome = adoption.getOutcome();
    return Values.state(outcome, "OUTCOME_").replace('_', '-');
  }

  /** Where it is now, and where its login had it if that is another. */
  private static Object job(Session session) {
    Adoption adoption = session.getAdoption();
    Object first = adoption.hasJob() ? (Object) adoption.getJob().getJobId() : "none";
    return moved(adoption, session.getJobsNowList())
        ? commas(session.getJobsNowList()) + " (from " + first + ")"
        : first;
  }

  private static String from(Adoption adoption) {
    return adoption.hasConnection() ? end(adoption.getConnection().getRemote()) : "unknown";
  }

  private static String call(Adoption adoption) {
    Connection connection = adoption.getConnection();
    return adoption.hasConnection()
        ? end(connection.getRemote()) + " to " + end(connection.getLocal())
        : "unknown: no connection was found for it";
  }

  private static String end(Endpoint endpoint) {
    return new HostPort(endpoint.getAddress(), endpoint.getPort()).toString();
  }

  private static long tookMs(Adoption adoption) {
    return adoption.getTook().getSeconds() * 1000 + adoption.getTook().getNanos() / NANOS_OF_A_MS;
  }
}
