package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Logins while the agent of the node is killed or restarted. */
final class AgentAwayScenes {
  private static final int LOGINS = 60;

  /** The agent is killed before the first of them, and told to stop before the second. */
  private static final List<Integer> KILL_AND_STOP = List.of(10, 35);

  private static final Duration TO_SEE_JOBS = Duration.ofSeconds(10);
  private static final Duration TO_READ_RECORDS = Duration.ofSeconds(10);

  private AgentAwayScenes() {}

  private static Daemon agent(Stage stage) {
    return stage.cluster().agent(NodeAddress.NODE2);
  }

  private static void startAgent(Stage stage) {
    agent(stage).start();
    agent(stage).awaitReady();
    stage.awaitConnection();
  }

  static Outcome killedOneJob(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      Visit visit = whileKilled(stage, jobs);
      return outcome(stage, "job %d by only-job".formatted(jobs.oldest()), visit);
    }
  }

  /** From the oldest, so that the newest is not the caller's by chance. */
  static Outcome killedTwoJobs(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      Visit visit = whileKilled(stage, jobs);
      return outcome(stage, "job %d by newest-job".formatted(jobs.newest()), visit);
    }
  }

  /** Of Slurm's jobs the agent hears some time after they begin. */
  private static Visit whileKilled(Stage stage, OpenJobs jobs) {
    Eventually.await(
        TO_SEE_JOBS,
        () -> stage.agents().open(stage.node2()).containsAll(jobs.ids()),
        () -> "node2 does not have jobs " + jobs.ids());
    agent(stage).kill();
    try {
      return stage.fromJob(jobs.oldest(), "node2");
    } finally {
      startAgent(stage);
    }
  }

  private static Outcome outcome(Stage stage, String expected, Visit visit) {
    String seen =
        visit.place().equals("refused")
            ? "refused: " + visit.said()
            : "%s by %s".formatted(visit.place(), visit.reason());
    boolean told =
        Eventually.holds(
            TO_READ_RECORDS,
            () -> stage.agents().decisions(stage.node2()).contains(visit.adoption()));
    return Outcome.compare(
        expected + ", recorded by the agent after its start",
        seen
            + (told
                ? ", recorded by the agent after its start"
                : ", and the agent knows nothing of it"),
        visit.millis());
  }

  static Outcome restartedUnderLogins(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      List<Visit> visits = new ArrayList<>();
      for (int login = 0; login < LOGINS; login++) {
        if (KILL_AND_STOP.indexOf(login) == 0) {
          agent(stage).kill();
          agent(stage).start();
        } else if (KILL_AND_STOP.contains(login)) {
          agent(stage).stop();
          agent(stage).start();
        }
        visits.add(stage.fromLogin(User.ALICE));
      }
      agent(stage).awaitReady();
      stage.awaitConnection();
      String job = "job " + jobs.oldest();
      List<Visit> elsewhere = visits.stream().filter(it -> !it.place().equals(job)).toList();
      return Outcome.compare(
          "%d of %d logins in %s, each recorded by the agent".formatted(LOGINS, LOGINS, job),
          "%d of %d logins in %s%s, %s recorded by the agent"
              .formatted(
                  LOGINS - elsewhere.size(),
                  LOGINS,
                  job,
                  elsewhere.isEmpty() ? "" : " (" + elsewhere.getFirst().said() + ")",
                  allTold(stage, visits) ? "each" : "not each"),
          Outcome.slowest(visits.toArray(Visit[]::new)));
    }
  }

  /** Of more than a thousand the agent forgets the oldest; these are fewer. */
  private static boolean allTold(Stage stage, List<Visit> visits) {
    List<String> ids = visits.stream().map(Visit::adoption).toList();
    return Eventually.holds(
        TO_READ_RECORDS,
        () -> {
          List<String> told = stage.agents().decisions(stage.node2());
          return ids.stream().allMatch(id -> told.stream().filter(id::equals).count() == 1);
        });
  }
}
