package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm owns the jobs of a node with systemd, on cgroup v2. */
final class SlurmNodeScene {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final Pattern IN_JOB =
      Pattern.compile("0::/(.*slurmstepd\\.scope/job_(\\d+))/step_extern/user/.*");

  private static final long MEBIBYTES = 200;
  private static final String STRAY = "sleep 621";
  private static final String SUBMIT =
      "cd /tmp && HOME=/home/alice sbatch --parsable --mem %d -o /dev/null --wrap 'exec sleep 600'"
          .formatted(MEBIBYTES);

  private SlurmNodeScene() {}

  static Outcome play(SystemdNode node) {
    node.root("bash /srv/rollcall-vm/slurm.sh");
    node.configure("provider", "slurm");
    try {
      long job = Long.parseLong(node.outside(User.ALICE, SUBMIT).outOrThrow("sbatch").strip());
      Eventually.await(
          SystemdNode.PATIENCE,
          () -> isOpen(node, job),
          () -> "job " + job + " is not open: " + node.root("squeue; tail /var/log/slurm/*.log"));
      long start = System.nanoTime();
      String leaving = "setsid " + STRAY + " </dev/null >/dev/null 2>&1 & cat /proc/self/cgroup";
      var ssh = node.ssh(User.ALICE, leaving).await(SystemdNode.PATIENCE);
      long millis = (System.nanoTime() - start) / 1_000_000;
      String place = place(ssh.outOrThrow("ssh").strip());
      boolean stayed = node.pidOf(STRAY) > 0;
      node.root("scancel " + job);
      boolean gone = Eventually.holds(SystemdNode.PATIENCE, () -> node.pidOf(STRAY) == 0);
      return Outcome.compare(
          "in job %d with %d MiB; what it left dies with the job".formatted(job, MEBIBYTES),
          "in %s; what it left %s"
              .formatted(
                  place,
                  stayed && gone
                      ? "dies with the job"
                      : "was there: " + stayed + ", gone: " + gone),
          millis);
    } finally {
      node.configure("provider", "native");
      node.root("bash /srv/rollcall-vm/slurm.sh down");
    }
  }

  private static boolean isOpen(SystemdNode node, long job) {
    return node.jobs().list(ListRequest.getDefaultInstance()).getJobsList().stream()
        .anyMatch(one -> one.getJobId() == job && one.getState() == JobState.JOB_STATE_OPEN);
  }

  /** "job 7 with 200 MiB", by Slurm's cgroup of the job. */
  private static String place(String cgroup) {
    Matcher found = IN_JOB.matcher(cgroup);
    if (!found.matches()) {
      return "'" + cgroup + "'";
    }
    try {
      String most = Files.readString(CGROUPS.resolve(found.group(1)).resolve("memory.max")).strip();
      return "job %s with %d MiB".formatted(found.group(2), Long.parseLong(most) >> 20);
    } catch (IOException | NumberFormatException e) {
      return "job " + found.group(2) + " with " + e;
    }
  }
}
