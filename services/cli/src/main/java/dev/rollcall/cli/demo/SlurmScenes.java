package dev.rollcall.cli.demo;

import dev.rollcall.testkit.cluster.User;
import dev.rollcall.testkit.slurm.Accounted;
import dev.rollcall.testkit.slurm.SlurmJobs;
import java.time.Duration;

/** What is Slurm's own, and holds for sessions as it does for steps. */
final class SlurmScenes {
  /** Some CPU time that cannot be taken for the rest of a login, which is some 0.03 s. */
  private static final Duration BURNT = Duration.ofMillis(300);

  private static final String BURN = "i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done";

  private final SlurmJobs slurm;

  SlurmScenes(SlurmJobs slurm) {
    this.slurm = slurm;
  }

  Outcome accounted(Stage stage) {
    long job;
    String session;
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      job = jobs.oldest();
      var ssh = stage.login().exec(User.ALICE, "ssh", "node2", "cat /proc/self/cgroup; " + BURN);
      session = stage.place(stage.node2(), ssh.outOrThrow("ssh node2"));
    }
    long start = System.nanoTime();
    Accounted extern = slurm.accountedSessions(job, BURNT);
    long millis = (System.nanoTime() - start) / 1_000_000;
    return new Outcome(
        session.equals("job " + job) && extern.cpu().compareTo(BURNT) > 0,
        "the session in job %d, more than %d ms of CPU in %d.extern"
            .formatted(job, BURNT.toMillis(), job),
        "the session in %s, %d ms of CPU in %s"
            .formatted(session, extern.cpu().toMillis(), extern.id()),
        millis);
  }
}
