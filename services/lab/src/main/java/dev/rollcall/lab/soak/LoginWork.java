package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.soak.Judgement.Seen;
import dev.rollcall.lab.soak.Planned.Login;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One login of a soak, by a real ssh. */
final class LoginWork {
  private static final String SAID = "said so";
  private static final Pattern IN_JOB =
      Pattern.compile("rollcall\\.scope/job_(\\d+)/step_extern/user/session_\\d+");

  private static final Pattern SSH_ITSELF =
      Pattern.compile(
          "(ssh: |ssh_|kex_|Connection |Timeout|client_loop|Read from|packet_|Write failed|banner|"
              + "Bad packet|Received disconnect|Disconnected|\\*\\*|Warning: |debug)");

  /** ssh's own ConnectTimeout is 20 s; what hangs for longer is told by the judgement. */
  private static final int HANGS_SECONDS = 60;

  private final TestCluster cluster;
  private final AgentLines agents;
  private final JobBook book;
  private final Troubles troubles;
  private final Clockwork clock;
  private final SoakTally tally;
  private final Judgement judgement;

  LoginWork(
      TestCluster cluster,
      AgentLines agents,
      JobBook book,
      Troubles troubles,
      Clockwork clock,
      SoakTally tally,
      Judgement judgement) {
    this.cluster = cluster;
    this.agents = agents;
    this.book = book;
    this.troubles = troubles;
    this.clock = clock;
    this.tally = tally;
    this.judgement = judgement;
  }

  /** Returns when the session is over. */
  void run(Login login) {
    Optional<Running> ssh = started(login);
    if (ssh.isEmpty()) {
      tally.count("sessions whose job was not there");
      return;
    }
    tally.count("sessions");
    long began = clock.millis();
    Seen seen = seen(login, ssh.get());
    long told = clock.millis();
    judgement
        .of(login, seen, began, told, isExplained(login, began, told))
        .ifPresent(tally::violated);
    tally.count(
        switch (seen) {
          case Seen.Inside _ -> "sessions in their job";
          case Seen.Refused _ -> "sessions refused";
          case Seen.NotReached _ -> "sessions not reached";
        });
    end(ssh.get(), login);
  }

  private Optional<Running> started(Login login) {
    ClusterNode from = cluster.node(login.from());
    String[] ssh = {
      "timeout",
      Integer.toString(HANGS_SECONDS),
      "ssh",
      login.to().name(),
      "cat /proc/self/cgroup; echo '%s'; exec -a %s$SLURM_JOB_ID sleep %d.%03d"
          .formatted(SAID, Marked.NAME, login.stays().toSeconds(), login.stays().toMillisPart())
    };
    try {
      return Optional.of(
          login.job().isPresent()
              ? from.startIn(agents.beginStep(from, login.job().get()), login.user(), ssh)
              : from.start(login.user(), ssh));
    } catch (StatusRuntimeException e) {
      return Optional.empty(); // the job is over, or its agent away: there is no step to come from
    }
  }

  private Seen seen(Login login, Running ssh) {
    try {
      ssh.awaitOutput(SAID, Patience.ofSeconds(HANGS_SECONDS + 10));
      return new Seen.Inside(place(login, ssh.outSoFar()));
    } catch (RigException e) {
      Result result = ssh.await(Patience.ofSeconds(10));
      String words = result.err().strip();
      String reason = reason(words);
      return reason.isEmpty()
          ? new Seen.NotReached("exit %d: %s".formatted(result.exit(), words))
          : new Seen.Refused(reason);
    }
  }

  /** What PAM said, which ssh prints before its own words for what befell the connection. */
  static String reason(String words) {
    return words
        .lines()
        .filter(line -> !line.isBlank() && !SSH_ITSELF.matcher(line).lookingAt())
        .collect(Collectors.joining(" "));
  }

  private String place(Login login, String out) {
    String cgroup = cluster.node(login.to()).below(out);
    Matcher job = IN_JOB.matcher(cgroup);
    return job.matches() ? "job " + job.group(1) : "in '" + cgroup + "'";
  }

  /** A fault at one of the ends, or the end of a job there, may break any connection. */
  private boolean isExplained(Login login, long began, long told) {
    boolean stays =
        book.possible(login.to(), login.user(), began, told)
            .equals(book.certain(login.to(), login.user(), began, told));
    boolean fromStays =
        login.job().isEmpty()
            || book.certain(login.from(), login.user(), began, told).contains(login.job().get());
    return !stays
        || !fromStays
        || troubles.touched(login.from(), began, told)
        || troubles.touched(login.to(), began, told);
  }

  private static void end(Running ssh, Login login) {
    try {
      ssh.await(login.stays().plus(Duration.ofSeconds(HANGS_SECONDS)));
    } catch (RigException e) {
      ssh.kill(); // its way back is cut: what it left on the other side ends with its job
    }
  }
}
