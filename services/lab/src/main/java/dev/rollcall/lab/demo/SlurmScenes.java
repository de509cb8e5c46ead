package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ProcessStat;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.Accounted;
import dev.rollcall.lab.slurm.SlurmJobs;
import dev.rollcall.testkit.process.Eventually;
import java.time.Duration;

/** What is Slurm's own, and holds for sessions as it does for steps. */
final class SlurmScenes {
  /** Some CPU time that cannot be taken for the rest of a login, which is some 0.03 s. */
  private static final Duration BURNT = Duration.ofMillis(300);

  private static final Duration TO_WORK = Duration.ofSeconds(60);

  /** Of a processor: Slurm reads what is used once a second, and not of what has ended between. */
  private static final String BURN = "(ulimit -t 3; while :; do :; done); :";

  private final SlurmJobs slurm;

  SlurmScenes(SlurmJobs slurm) {
    this.slurm = slurm;
  }

  Outcome accounted(Stage stage) {
    return inSacct(stage, BURN, "");
  }

  /** Its process number comes before its cgroup, and it is over before the job is. */
  Outcome daemonised(Stage stage) {
    return inSacct(stage, StrayScenes.leaving("sh -c '" + BURN + "'"), "after its session, ");
  }

  private Outcome inSacct(Stage stage, String command, String when) {
    long job;
    String session;
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      job = jobs.oldest();
      String told = "cat /proc/self/cgroup; " + command;
      String said = stage.login().exec(User.ALICE, "ssh", "node2", told).outOrThrow("ssh node2");
      session = stage.place(stage.node2(), said);
      awaitEnd(said.lines().toList().getLast());
    }
    long start = System.nanoTime();
    Accounted extern = slurm.accountedSessions(job, BURNT);
    long millis = (System.nanoTime() - start) / 1_000_000;
    return new Outcome(
        session.equals("job " + job),
        "the session in job %d; %smore than %d ms of CPU in %d.extern"
            .formatted(job, when, BURNT.toMillis(), job),
        "the session in %s; %s%d ms of CPU in %s"
            .formatted(session, when, extern.cpu().toMillis(), extern.id()),
        millis);
  }

  /** Of a process that was left behind, if the last line is its number. */
  private static void awaitEnd(String line) {
    if (line.matches("[0-9]+")) {
      long pid = Long.parseLong(line);
      Eventually.await(TO_WORK, () -> !ProcessStat.isAlive(pid), () -> "process " + pid + " works");
    }
  }
}
