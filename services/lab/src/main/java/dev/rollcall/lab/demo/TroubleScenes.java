package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.User;
import java.util.List;

/** Sessions while something that the answer may need is away. */
final class TroubleScenes {
  private TroubleScenes() {}

  static Outcome sourceDropsIncoming(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var _ = stage.node1().dropIncoming()) {
      return Outcome.places("job " + jobs.oldest(), stage.fromJob(jobs.oldest(), "node2"));
    }
  }

  static Outcome streamCut(Stage stage, int count) {
    try (var jobs = stage.begin(count, User.ALICE, stage.node1(), stage.node2())) {
      try (var _ = stage.node1().cutStream()) {
        return count == 1 ? onlyJob(stage, jobs) : newest(stage, jobs);
      } finally {
        stage.awaitConnection();
      }
    }
  }

  static Outcome gatewayDown(Stage stage, int count) {
    List<Daemon> gateways = stage.cluster().gateways();
    try (var jobs = stage.begin(count, User.ALICE, stage.node1(), stage.node2())) {
      gateways.forEach(Daemon::kill);
      try {
        return count == 1 ? onlyJob(stage, jobs) : newest(stage, jobs);
      } finally {
        gateways.forEach(Daemon::start);
        gateways.forEach(Daemon::awaitReady);
        stage.awaitConnection();
      }
    }
  }

  private static Outcome onlyJob(Stage stage, OpenJobs jobs) {
    return Outcome.places("job " + jobs.oldest(), stage.fromJob(jobs.oldest(), "node2"));
  }

  /** From the oldest, so that the newest is not the caller's by chance. */
  private static Outcome newest(Stage stage, OpenJobs jobs) {
    Visit visit = stage.fromJob(jobs.oldest(), "node2");
    String expected =
        "job %d by newest-job, with the reason for the doubt".formatted(jobs.newest());
    String seen = "%s by %s: %s".formatted(visit.place(), visit.reason(), visit.doubt());
    boolean ok =
        visit.place().equals("job " + jobs.newest())
            && visit.reason().equals("newest-job")
            && !visit.doubt().isBlank();
    return new Outcome(
        ok, expected, visit.place().equals("refused") ? visit.said() : seen, visit.millis());
  }
}
