package dev.rollcall.lab.scenario;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.InJob;
import dev.rollcall.lab.demo.Stage;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Many sessions from one job on node1 to node2, some at a time, as fast as sshd takes them. One
 * that is refused, as the login socket may on a machine that has too much to do, tries again as a
 * user would.
 */
public final class Storm {
  private static final int AT_A_TIME = 8;
  private static final Pattern IN_JOB =
      Pattern.compile("rollcall\\.scope/job_(\\d+)/step_extern/user/session_\\d+");

  /** What a session says is one short line, which ssh writes at once: lines do not mix. */
  private static final String SESSION =
      "for try in $(seq $0); do ssh node2 \"grep ^0:: /proc/self/cgroup\" && exit;"
          + " echo refused; done";

  private static final int MANY_TRIES = 200;

  private final Stage stage;
  private final InJob ssh;

  private Storm(Stage stage, User user, long job, int sessions, int atATime, int tries) {
    String script =
        "seq %d | xargs -P %d -I{} sh -c '%s' %d".formatted(sessions, atATime, SESSION, tries);
    this.stage = stage;
    this.ssh = stage.startInJob(stage.node1(), job, user, "sh", "-c", script);
  }

  /** Alice's. */
  public static Storm from(Stage stage, long job, int sessions) {
    return from(stage, User.ALICE, job, sessions);
  }

  public static Storm from(Stage stage, User user, long job, int sessions) {
    return new Storm(stage, user, job, sessions, AT_A_TIME, MANY_TRIES);
  }

  /** Alice's, each of which takes a refusal for an answer. */
  static Storm withoutPatience(Stage stage, long job, int sessions) {
    return new Storm(stage, User.ALICE, job, sessions, AT_A_TIME, 1);
  }

  /** One after the other, each of which takes a refusal for an answer. */
  public static Storm oneByOne(Stage stage, User user, long job, int sessions) {
    return new Storm(stage, user, job, sessions, 1, 1);
  }

  /** How many sessions arrived where: "job 7", or the cgroup that is no job's. */
  public Map<String, Long> arrivals(Duration deadline) {
    var result = ssh.await(deadline);
    long refused = result.out().lines().filter("refused"::equals).count();
    if (refused > 0) {
      System.out.println(refused + " times refused at first: " + result.err().lines().findAny());
    }
    return result
        .out()
        .lines()
        .filter(line -> line.startsWith("0::"))
        .map(line -> place(stage.node2().below(line)))
        .collect(Collectors.groupingBy(place -> place, Collectors.counting()));
  }

  public static String place(String cgroup) {
    Matcher job = IN_JOB.matcher(cgroup);
    return job.matches() ? "job " + job.group(1) : cgroup;
  }
}
