package dev.rollcall.lab.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A job of alice's in Slurm, on this node, that ends when this is closed. */
record SlurmNodeJob(SystemdNode node, long id) implements AutoCloseable {
  private static final long MEBIBYTES = 200;
  private static final String SUBMIT =
      "cd /tmp && HOME=/home/alice sbatch --parsable --mem %d -o /dev/null --wrap 'exec sleep 600'"
          .formatted(MEBIBYTES);

  /** Returns when the file of the job tells a login where to move. */
  static SlurmNodeJob submit(SystemdNode node) {
    long id = Long.parseLong(node.outside(User.ALICE, SUBMIT).outOrThrow("sbatch").strip());
    Path file = file(id);
    Eventually.await(
        SystemdNode.PATIENCE,
        () -> hasPlace(file),
        () ->
            "no place for sessions in "
                + file
                + node.root(
                    "squeue; systemd-cgls --no-pager -l | grep -A20 slurmstepd; tail /var/log/slurm/*.log"));
    return new SlurmNodeJob(node, id);
  }

  /** The agent's, while the job is there. */
  private static Path file(long id) {
    return Path.of("/run/rollcall/login/jobs", Long.toString(id));
  }

  private static boolean hasPlace(Path file) {
    try {
      return Files.readString(file, ISO_8859_1).contains("step_extern/user/");
    } catch (IOException notYet) {
      return false;
    }
  }

  SlurmNodeSession session() {
    return SlurmNodeSession.start(this);
  }

  /** The processes of its sessions, by {@code scontrol listpids}. */
  List<Long> listed() {
    return node.root("scontrol listpids " + id)
        .lines()
        .map(line -> line.split(" +", -1))
        .filter(words -> words.length > 2 && words[2].equals("extern"))
        .map(words -> Long.valueOf(words[0]))
        .toList();
  }

  void cancel() {
    node.root("scancel " + id);
  }

  @Override
  public void close() {
    cancel();
    // Slurm may forget the job a while later only; its CPU is free when it is gone from here.
    Eventually.await(
        SystemdNode.PATIENCE,
        () -> node.root("squeue -h -o %i").lines().noneMatch(Long.toString(id)::equals),
        () -> "jobs do not end: " + node.root("squeue; scontrol show node"));
    // Until then its owner has one job more, and an agent that is killed leaves it so.
    Eventually.await(
        SystemdNode.PATIENCE, () -> !Files.exists(file(id)), () -> file(id) + " is still there");
  }

  /** "200 MiB", by the cgroup of the job. */
  static String limit(Path job) {
    try {
      String most = Files.readString(job.resolve("memory.max")).strip();
      return (Long.parseLong(most) >> 20) + " MiB";
    } catch (IOException | NumberFormatException e) {
      return e.toString();
    }
  }

  /** The same, as it was asked for. */
  static String asked() {
    return MEBIBYTES + " MiB";
  }
}
