package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Slurm owns the jobs: sbatch begins them, srun starts their steps, scancel ends them. */
final class BatchJobs implements StageJobs {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  // The freezer is the hierarchy that says which processes are Slurm's (proctrack/cgroup on v1).
  private static final Pattern IN_JOB =
      Pattern.compile(
          "(?m)^\\d+:freezer:/[^\\n]*/slurm_(\\w+)/uid_\\d+/job_(\\d+)/step_extern(/[^\\n]*)?$");

  private final SlurmCommandJobs slurm;
  private final AtomicLong started = new AtomicLong();

  BatchJobs(SlurmCommandJobs slurm) {
    this.slurm = slurm;
  }

  @Override
  public List<Long> begin(int count, User owner, List<ClusterNode> nodes) {
    return Stream.generate(() -> slurm.submit(owner, nodes)).limit(count).toList();
  }

  @Override
  public void end(List<Long> jobs, List<ClusterNode> nodes) {
    slurm.cancel(jobs);
  }

  @Override
  public void suspend(long job, List<ClusterNode> nodes) {
    slurm.suspend(job);
  }

  @Override
  public void resume(long job, List<ClusterNode> nodes) {
    slurm.resume(job);
  }

  @Override
  public InJob start(ClusterNode node, long job, User user, String... argv) {
    String file = "/home/%s/step-%d".formatted(user.login(), started.incrementAndGet());
    var command =
        new ArrayList<>(List.of("sh", "-c", "echo $$ > \"$1\"; shift; exec \"$@\"", "sh", file));
    command.addAll(List.of(argv));
    Running srun = slurm.step(node, job, user, command.toArray(String[]::new));
    return InJob.behind(srun, () -> pid(node.file(file), srun));
  }

  private static long pid(Path file, Running srun) {
    Eventually.await(
        DEADLINE,
        () -> !text(file).isEmpty() || !srun.isAlive(),
        () -> "srun does not start its command: no " + file);
    String pid = text(file);
    if (pid.isEmpty()) {
      throw new RigException("srun ended: " + srun.await(DEADLINE).err().strip());
    }
    return Long.parseLong(pid);
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file).strip() : "";
    } catch (IOException e) {
      throw new RigException("cannot read " + file, e);
    }
  }

  @Override
  public OptionalLong adopter(ClusterNode node, String procCgroup) {
    return adopter(node.name(), procCgroup);
  }

  static OptionalLong adopter(String node, String procCgroup) {
    Matcher job = IN_JOB.matcher(procCgroup);
    return job.find() && job.group(1).equals(node)
        ? OptionalLong.of(Long.parseLong(job.group(2)))
        : OptionalLong.empty();
  }
}
