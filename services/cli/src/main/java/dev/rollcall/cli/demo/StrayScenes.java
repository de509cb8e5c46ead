package dev.rollcall.cli.demo;

import dev.rollcall.testkit.cluster.Cgroups;
import dev.rollcall.testkit.cluster.ProcessStat;
import dev.rollcall.testkit.cluster.Result;
import dev.rollcall.testkit.cluster.User;

/** Processes that stay behind when their session is over. */
final class StrayScenes {
  private StrayScenes() {}

  /** Without its streams closed, ssh would wait for the process it leaves behind. */
  private static String leaving(String command) {
    return "setsid " + command + " </dev/null >/dev/null 2>&1 & echo $!";
  }

  static Outcome background(Stage stage) {
    return leftBehind(stage, leaving("sleep 600"));
  }

  static Outcome ignoresSigterm(Stage stage) {
    return leftBehind(stage, leaving("sh -c 'trap \"\" TERM; sleep 600; sleep 600'"));
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
      String after = ProcessStat.isAlive(pid) ? "alive" : "gone";
      return Outcome.compare(
          "in the job after its session, gone after its job",
          "%s after its session, %s after its job".formatted(during, after),
          millis);
    }
  }
}
