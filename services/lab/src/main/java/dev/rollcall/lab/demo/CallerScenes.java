package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;

/** Sessions while all is well. */
final class CallerScenes {
  private CallerScenes() {}

  static Outcome twoJobs(Stage stage, String host) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      return Outcome.places(
          "job %d, job %d".formatted(jobs.oldest(), jobs.newest()),
          stage.fromJob(jobs.oldest(), host),
          stage.fromJob(jobs.newest(), host));
    }
  }

  static Outcome oneJobFromLogin(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      return Outcome.places("job " + jobs.newest(), stage.fromLogin(User.ALICE));
    }
  }

  static Outcome twoJobsFromLogin(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node2())) {
      return Outcome.places("job " + jobs.newest(), stage.fromLogin(User.ALICE));
    }
  }

  static Outcome noJob(Stage stage) {
    Visit visit = stage.fromLogin(User.BOB);
    String told = "you have no active jobs on this node";
    String seen = visit.place() + ": " + visit.said().replaceAll("\\s+", " ");
    return new Outcome(
        visit.place().equals("refused") && visit.said().contains(told),
        "refused: " + told,
        seen,
        visit.millis());
  }

  static Outcome thirdHop(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2(), stage.node3())) {
      var ssh =
          stage.startInJob(
              stage.node1(),
              jobs.oldest(),
              User.ALICE,
              "ssh",
              "node2",
              "ssh node3 '" + Visit.TELL + "'");
      return Outcome.places(
          "job " + jobs.oldest(), stage.visit(stage.node3(), ssh.await(Stage.SSH_DEADLINE)));
    }
  }
}
