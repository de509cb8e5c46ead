package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.Accounted;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.lab.slurm.SlurmSetup;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;

/** What is Slurm's own, and holds for sessions as it does for steps. */
final class SlurmScenes {
  /** Some CPU time that cannot be taken for the rest of a login, which is some 0.03 s. */
  private static final Duration BURNT = Duration.ofMillis(300);

  private static final Duration TO_WORK = Duration.ofSeconds(60);

  /** Of a processor: Slurm reads what is used once a second, and not of what has ended between. */
  private static final String BURN = "(ulimit -t 3; while :; do :; done); :";

  private static final String WHERE = "cat /proc/self/cgroup; ";
  private static final String COMPUTED = "computed";
  private static final String LISTED = "listed by scontrol; ";
  private static final String AFTER = "after its session, ";

  private static final String OPEN_GPUS =
      "for n in $(seq 0 %d); do cat %s$n 2>&1; done; :"
          .formatted(SlurmSetup.GPUS - 1, SlurmSetup.GPU);

  private final SlurmCommandJobs slurm;

  SlurmScenes(SlurmCommandJobs slurm) {
    this.slurm = slurm;
  }

  /**
   * The session lives as the job ends: slurmstepd 24.11.5 crashes, and tells nothing of the extern
   * step, in a job that ends within a second of one of its sessions, whoever adopted it.
   */
  Outcome accounted(Stage stage) {
    long job;
    String session;
    boolean listed;
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      job = jobs.oldest();
      String told = WHERE + BURN + "; echo " + COMPUTED + " $$; exec sleep 600";
      Running ssh = stage.login().start(User.ALICE, "ssh", "node2", told);
      ssh.awaitOutput(COMPUTED, TO_WORK);
      session = stage.place(stage.node2(), ssh.outSoFar());
      listed = SlurmCommandJobs.sessions(stage.node2(), job).contains(number(ssh));
    }
    return inSacct(job, session, listed ? LISTED : "not " + LISTED, LISTED);
  }

  /** Its process number comes before its cgroup, and it is over before the job is. */
  Outcome daemonised(Stage stage) {
    long job;
    String session;
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      job = jobs.oldest();
      String told = WHERE + StrayScenes.leaving("sh -c '" + BURN + "'");
      String said = stage.login().exec(User.ALICE, "ssh", "node2", told).outOrThrow("ssh node2");
      session = stage.place(stage.node2(), said);
      awaitEnd(said.lines().toList().getLast());
    }
    return inSacct(job, session, AFTER, AFTER);
  }

  /** By Slurm's own device rules: what the job was not given is refused, the rest has no driver. */
  Outcome devices(Stage stage) {
    long job = slurm.submit(User.ALICE, List.of(stage.node2()), "--gres=gpu:2");
    try {
      Result tried = stage.login().exec(User.ALICE, "ssh", "node2", OPEN_GPUS);
      return Outcome.compare("2 open, 2 refused", gpus(tried), tried.millis());
    } finally {
      slurm.cancel(List.of(job));
    }
  }

  private static String gpus(Result tried) {
    long open =
        tried.out().lines().filter(line -> line.endsWith("No such device or address")).count();
    long refused = tried.out().lines().filter(line -> line.endsWith("not permitted")).count();
    return open + refused == SlurmSetup.GPUS
        ? "%d open, %d refused".formatted(open, refused)
        : (tried.out() + tried.err()).strip();
  }

  private static long number(Running ssh) {
    String line =
        ssh.outSoFar().lines().filter(it -> it.startsWith(COMPUTED)).findFirst().orElseThrow();
    return Long.parseLong(line.substring(COMPUTED.length()).strip());
  }

  private Outcome inSacct(long job, String session, String seen, String expected) {
    long start = System.nanoTime();
    Accounted extern = slurm.accountedSessions(job, BURNT);
    long millis = (System.nanoTime() - start) / 1_000_000;
    return new Outcome(
        session.equals("job " + job) && seen.equals(expected),
        "the session in job %d; %smore than %d ms of CPU in %d.extern"
            .formatted(job, expected, BURNT.toMillis(), job),
        "the session in %s; %s%d ms of CPU in %s"
            .formatted(session, seen, extern.cpu().toMillis(), extern.id()),
        millis);
  }

  /** Of a process that was left behind, if the last line is its number. */
  private static void awaitEnd(String line) {
    if (line.matches("[0-9]+")) {
      long pid = Long.parseLong(line);
      Eventually.await(
          TO_WORK, () -> !ProcessStart.isAlive(pid), () -> "process " + pid + " works");
    }
  }
}
