package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A session of alice's by ssh that stays until its job ends. */
record SlurmNodeSession(SystemdNode node, Running ssh, long pid, long millis) {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final Pattern IN_JOB =
      Pattern.compile(
          "0::/(.*slurmstepd\\.scope/(?:job_\\d+|s[0-9A-Za-z]{13}))/step_extern/user/task_[^/]+");

  private static final String IS_IN = "is in";
  private static final String STAY =
      "cat /proc/self/cgroup; echo id=$SLURM_JOB_ID; echo " + IS_IN + " $$; exec sleep 600";

  static SlurmNodeSession start(SlurmNodeJob job) {
    long start = System.nanoTime();
    Running ssh = job.node().ssh(User.ALICE, STAY);
    ssh.awaitOutput(IS_IN, SystemdNode.PATIENCE);
    long millis = (System.nanoTime() - start) / 1_000_000;
    String line =
        ssh.outSoFar().lines().filter(it -> it.startsWith(IS_IN)).findFirst().orElseThrow();
    long pid = Long.parseLong(line.substring(IS_IN.length()).strip());
    return new SlurmNodeSession(job.node(), ssh, pid, millis);
  }

  private Path directory() {
    String cgroup = ssh.outSoFar().lines().findFirst().orElse("");
    Matcher found = IN_JOB.matcher(cgroup);
    return found.matches()
        ? CGROUPS.resolve(found.group(1))
        : CGROUPS.resolve("none").resolve(cgroup);
  }

  /** What a session sees and Slurm has of it. */
  static String expected(SlurmNodeJob job) {
    return "in job %d with %s, listed by scontrol, gone with the job"
        .formatted(job.id(), SlurmNodeJob.asked());
  }

  /** Ends the job. */
  String seen(SlurmNodeJob job) {
    String id =
        ssh.outSoFar()
            .lines()
            .filter(line -> line.startsWith("id="))
            .map(line -> line.substring("id=".length()))
            .findFirst()
            .orElse("none");
    Path directory = directory();
    String limit = SlurmNodeJob.limit(directory);
    boolean listed = job.listed().contains(pid);
    job.cancel();
    boolean gone =
        Eventually.holds(SystemdNode.PATIENCE, () -> !ssh.isAlive() && !Files.exists(directory));
    return "in job %s with %s, %slisted by scontrol, %s"
        .formatted(id, limit, listed ? "" : "not ", gone ? "gone with the job" : "there after it");
  }
}
