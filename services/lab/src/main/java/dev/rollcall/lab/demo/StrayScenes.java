package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.Cgroups;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.time.Duration;

/** Processes that stay behind when their session is over. */
final class StrayScenes {
  private static final Duration TO_WORK = Duration.ofSeconds(60);

  private StrayScenes() {}

  /** Without its streams closed, ssh would wait for the process it leaves behind. */
  static String leaving(String command) {
    return "setsid " + command + " </dev/null >/dev/null 2>&1 & echo $!";
  }

  static Outcome background(Stage stage) {
    return leftBehind(stage, leaving("sleep 600"));
  }

  static Outcome ignoresSigterm(Stage stage) {
    return leftBehind(stage, leaving("sh -c 'trap \"\" TERM; sleep 600; sleep 600'"));
  }

  /** It works for 3 s, of which at least 1 comes after the session. */
  static Outcome accounted(Stage stage) {
    var node2 = stage.node2();
    // Three seconds of a processor, however long they take.
    String daemon = leaving("sh -c '(ulimit -t 3; while :; do :; done); sleep 600'");
    try (var jobs = stage.begin(1, User.ALICE, node2)) {
      stage.login().exec(User.ALICE, "ssh", "node2", daemon).outOrThrow("ssh node2");
      double atItsEnd = secondsOfSession(stage, jobs.oldest());
      long start = System.nanoTime();
      boolean more =
          Eventually.holds(TO_WORK, () -> secondsOfSession(stage, jobs.oldest()) >= atItsEnd + 1);
      long millis = (System.nanoTime() - start) / 1_000_000;
      return Outcome.compare(
          "in its session's account",
          more ? "in its session's account" : "not in its session's account",
          millis);
    }
  }

  /** CPU time of the job's only session; 0 when it has none. */
  private static double secondsOfSession(Stage stage, long job) {
    return stage.agents().usage(stage.node2(), job).stream()
        .filter(UsageRecord::hasSession)
        .mapToDouble(record -> seconds(record.getUsage()))
        .sum();
  }

  private static double seconds(Usage usage) {
    return usage.getUserTime().getSeconds()
        + usage.getSystemTime().getSeconds()
        + (usage.getUserTime().getNanos() + usage.getSystemTime().getNanos()) / 1e9;
  }

  private static Outcome leftBehind(Stage stage, String command) {
    var node2 = stage.node2();
    try (var jobs = stage.begin(1, User.ALICE, node2)) {
      Result ssh = stage.login().exec(User.ALICE, "ssh", "node2", command);
      long pid = Long.parseLong(ssh.outOrThrow("ssh node2").strip());
      String place = stage.place(node2, Cgroups.of(pid));
      String during = place.equals("job " + jobs.oldest()) ? "in the job" : place;
      long start = System.nanoTime();
      jobs.end();
      long millis = (System.nanoTime() - start) / 1_000_000;
      String after = ProcessStart.isAlive(pid) ? "alive" : "gone";
      return Outcome.compare(
          "in the job after its session, gone after its job",
          "%s after its session, %s after its job".formatted(during, after),
          millis);
    }
  }
}
