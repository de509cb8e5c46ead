package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.stream.Collectors;

/** A user on the login node finds jobs of other nodes and enters them by their numbers. */
final class LoginNodeScenes {
  private static final Duration DEADLINE = Patience.ofSeconds(30);

  private LoginNodeScenes() {}

  static Outcome jobs(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      awaitKnown(stage, stage.node1(), jobs);
      awaitKnown(stage, stage.node2(), jobs);
      Result listed = stage.login().rollcall(User.ALICE, "jobs --json");
      String seen =
          listed.ok()
              ? new JsonArray(listed.out())
                  .stream()
                      .map(JsonObject.class::cast)
                      // Jobs of earlier scenes may still be ending.
                      .filter(job -> job.getLong("job") == jobs.newest())
                      .map(job -> job.getLong("job") + " on " + job.getString("node"))
                      .collect(Collectors.joining(", "))
              : listed.err().strip();
      return Outcome.compare(
          "%d on node1, %d on node2".formatted(jobs.newest(), jobs.newest()),
          seen,
          listed.millis());
    }
  }

  /** To the older of two jobs, so that the newest is not entered by chance. */
  static Outcome ssh(Stage stage) {
    return entered(
        stage,
        job -> stage.login().rollcall(User.ALICE, "ssh %d -- '%s'".formatted(job, Visit.TELL)));
  }

  /** As an editor's ssh does, which reads the two lines of docs/cli.md from its configuration. */
  static Outcome jobHost(Stage stage) {
    return entered(
        stage,
        job -> {
          ClusterNode login = stage.login();
          return login.exec(
              User.ALICE,
              "ssh",
              "-o",
              "ProxyCommand " + login.rollcallCommand() + " connect --find %h %p",
              "-o",
              "HostKeyAlias=node2",
              "job-" + job,
              Visit.TELL);
        });
  }

  /** What a user does to enter a job. */
  private interface Entry {
    Result to(long job);
  }

  private static Outcome entered(Stage stage, Entry entry) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node2())) {
      awaitKnown(stage, stage.node2(), jobs);
      return Outcome.places(
          "job " + jobs.oldest(), stage.visit(stage.node2(), entry.to(jobs.oldest())));
    }
  }

  /** The roll has a job a moment after it has begun. */
  private static void awaitKnown(Stage stage, ClusterNode node, OpenJobs jobs) {
    Eventually.await(
        DEADLINE,
        () ->
            stage.agents().roll(node).stream().map(Job::getJobId).toList().containsAll(jobs.ids()),
        () -> "jobs " + jobs.ids() + " of " + node.name() + " are not all in the roll");
  }
}
