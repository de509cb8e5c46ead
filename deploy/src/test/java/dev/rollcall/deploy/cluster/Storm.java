package dev.rollcall.deploy.cluster;

import dev.rollcall.cli.demo.Stage;
import dev.rollcall.testkit.cluster.Running;
import dev.rollcall.testkit.cluster.User;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Many sessions from one job on node1 to node2, some at a time, as fast as sshd takes them. */
final class Storm {
  private static final String AT_A_TIME = "8";
  private static final Pattern IN_JOB =
      Pattern.compile("rollcall\\.scope/job_(\\d+)/step_extern/user/session_\\d+");

  private final Stage stage;
  private final Running ssh;

  private Storm(Stage stage, Running ssh) {
    this.stage = stage;
    this.ssh = ssh;
  }

  static Storm from(Stage stage, long job, int sessions) {
    // Each session's words are one short line, which ssh writes at once: lines do not mix.
    String script =
        "seq %d | xargs -P %s -I{} ssh node2 'grep ^0:: /proc/self/cgroup'"
            .formatted(sessions, AT_A_TIME);
    return new Storm(stage, stage.startInJob(stage.node1(), job, User.ALICE, "sh", "-c", script));
  }

  /** How many sessions arrived where: "job 7", "refused", or the cgroup that is no job's. */
  Map<String, Long> arrivals(Duration deadline, int sessions) {
    var result = ssh.await(deadline);
    Map<String, Long> arrived =
        result
            .out()
            .lines()
            .map(line -> place(stage.node2().below(line)))
            .collect(Collectors.groupingBy(place -> place, Collectors.counting()));
    long missing = sessions - arrived.values().stream().mapToLong(Long::longValue).sum();
    if (missing > 0) {
      System.out.println(result.err());
      arrived.put("refused", missing);
    }
    return arrived;
  }

  static String place(String cgroup) {
    Matcher job = IN_JOB.matcher(cgroup);
    return job.matches() ? "job " + job.group(1) : cgroup;
  }
}
