package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.Cgroups;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A job that stands still, and one whose user is told of its end. */
final class LifeScenes {
  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final String DISORDER = "did not stop cleanly";
  private static final String MESSAGE = "alice, your time is up";

  private LifeScenes() {}

  static Outcome suspended(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      long job = jobs.oldest();
      jobs.suspend(job);
      Visit during = stage.fromLogin(User.ALICE);
      jobs.resume(job);
      Visit after = stage.fromLogin(User.ALICE);
      String told = "job %d is suspended".formatted(job);
      return new Outcome(
          during.place().equals("refused")
              && during.said().contains(told)
              && after.place().equals("job " + job),
          "refused: %s; then job %d".formatted(told, job),
          "%s: %s; then %s"
              .formatted(during.place(), during.said().replaceAll("\\s+", " "), after.place()),
          Outcome.slowest(during, after));
    }
  }

  /** As an upgrade does it: SIGTERM to all, and all start again. */
  static Outcome restarted(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      String leave = StrayScenes.leaving("sleep 600");
      Result session = stage.login().exec(User.ALICE, "ssh", "node2", leave);
      long pid = Long.parseLong(session.outOrThrow("ssh node2").strip());
      String disorder = stop(stage);
      for (Daemon daemon : all(stage)) {
        daemon.start();
        daemon.awaitReady();
      }
      stage.awaitConnection();
      Visit after = stage.fromLogin(User.ALICE);
      String job = "job " + jobs.oldest();
      return Outcome.compare(
          "all stopped in order; the process in %s, then a login in %s".formatted(job, job),
          "%s; the process %s, then a login in %s"
              .formatted(
                  disorder.isEmpty() ? "all stopped in order" : disorder,
                  ProcessStart.isAlive(pid)
                      ? "in " + stage.place(stage.node2(), Cgroups.of(pid))
                      : "gone",
                  after.place()),
          after.millis());
    }
  }

  private static List<Daemon> all(Stage stage) {
    return Stream.concat(stage.cluster().gateways().stream(), stage.cluster().agents().stream())
        .toList();
  }

  /** What one of them complained of, if so. */
  private static String stop(Stage stage) {
    for (Daemon daemon : all(stage).reversed()) {
      daemon.stop();
      if (daemon.log().contains(DISORDER)) {
        return daemon.log();
      }
    }
    return "";
  }

  /** A session with a terminal whose process says farewell when it is asked to end. */
  static Outcome told(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      Running session =
          stage
              .login()
              .start(
                  User.ALICE,
                  "ssh",
                  "-tt",
                  "node2",
                  "trap 'echo farewell; exit' TERM; echo ready; while :; do sleep 0.1; done");
      session.awaitOutput("ready", Stage.SSH_DEADLINE);
      long start = System.nanoTime();
      stage.agents().end(stage.node2(), jobs.newest(), GRACE, MESSAGE);
      long millis = (System.nanoTime() - start) / 1_000_000;
      String seen = session.await(Stage.SSH_DEADLINE).out();
      return Outcome.compare(
          "notified on the terminal, gone before the grace was over",
          "%s on the terminal, gone %s the grace was over"
              .formatted(
                  seen.contains(MESSAGE) ? "notified" : "not notified",
                  millis < GRACE.toMillis() ? "before" : "after"),
          millis);
    }
  }
}
