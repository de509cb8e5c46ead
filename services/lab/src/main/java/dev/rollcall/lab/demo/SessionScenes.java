package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sessions that come, stay and go on a node with systemd. */
final class SessionScenes {
  private static final Pattern IN_JOB =
      Pattern.compile("0::/.*/job_(\\d+)/step_extern/(?:user/)?session_\\d+");

  private static final Duration GRACE = Duration.ofSeconds(2);

  private SessionScenes() {}

  /** "job 7", or what else the text of a /proc/PID/cgroup shows. */
  static String place(String cgroup) {
    Matcher job = IN_JOB.matcher(cgroup.strip());
    return job.matches() ? "job " + job.group(1) : "'" + cgroup.strip() + "'";
  }

  static Outcome inJob(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE)) {
      Result ssh = job.visit("cat /proc/self/cgroup; echo $SLURM_JOB_ID >&2");
      return Outcome.compare(
          "job %1$d, SLURM_JOB_ID=%1$d".formatted(job.id()),
          ssh.ok() ? place(ssh.out()) + ", SLURM_JOB_ID=" + ssh.err().strip() : ssh.err(),
          ssh.millis());
    }
  }

  static Outcome refused(SystemdNode node) {
    Result ssh = node.ssh(User.BOB, "true").await(SystemdNode.PATIENCE);
    String told = "you have no active jobs on this node";
    return new Outcome(
        !ssh.ok() && ssh.err().contains(told), "refused: " + told, ssh.err().strip(), ssh.millis());
  }

  static Outcome suspended(SystemdNode node) {
    try (NodeJob job = node.begin(User.ALICE)) {
      Running stays = job.stay("sleep 600");
      long start = System.nanoTime();
      var _ = node.jobs().suspend(SuspendRequest.newBuilder().setJobId(job.id()).build());
      long millis = (System.nanoTime() - start) / 1_000_000;
      String frozen = "frozen " + job.number("cgroup.events", "frozen");
      Result ssh = job.visit("true");
      String refused = !ssh.ok() && ssh.err().contains("suspended") ? "refused" : "in: " + ssh;
      var _ = node.jobs().resume(ResumeRequest.newBuilder().setJobId(job.id()).build());
      String after = "frozen " + job.number("cgroup.events", "frozen");
      Result again = job.visit("cat /proc/self/cgroup");
      return Outcome.compare(
          "frozen 1, a login refused; frozen 0, a login in job %d, the session alive"
              .formatted(job.id()),
          "%s, a login %s; %s, a login in %s, the session %s"
              .formatted(
                  frozen,
                  refused,
                  after,
                  again.ok() ? place(again.out()) : again.err(),
                  stays.isAlive() ? "alive" : "gone"),
          millis);
    }
  }

  static Outcome ended(SystemdNode node) {
    NodeJob job = node.begin(User.ALICE);
    Result ssh =
        job.visit(
            "setsid sh -c 'trap \"\" TERM; sleep 600; sleep 600' </dev/null >&0 2>&0 & echo $!");
    long pid = Long.parseLong(ssh.outOrThrow("leaving a process").strip());
    String during = job.processes().contains(pid) ? "in the job" : "elsewhere";
    long start = System.nanoTime();
    EndResponse end = job.end(GRACE);
    long millis = (System.nanoTime() - start) / 1_000_000;
    boolean gone = Eventually.holds(SystemdNode.PATIENCE, () -> !ProcessStart.isAlive(pid));
    return Outcome.compare(
        "in the job, then gone, the node clean, no cgroup left",
        "%s, then %s, the node %s, %s cgroup left"
            .formatted(
                during,
                gone ? "gone" : "alive",
                end.getClean() ? "clean" : "not clean: " + end.getRemainingList(),
                node.directories("job_" + job.id()).isEmpty() ? "no" : "a"),
        millis);
  }
}
