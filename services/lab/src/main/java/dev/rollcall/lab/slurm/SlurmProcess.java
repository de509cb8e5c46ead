package dev.rollcall.lab.slurm;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A daemon of Slurm's in its node, a child of this process, in a leaf of the node's own. */
record SlurmProcess(String name, ClusterNode node, Running running) {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(10);

  static SlurmProcess start(String name, ClusterNode node, String... argv) {
    return startIn(List.of(), name, node, argv);
  }

  /** Starts it in cgroups of other hierarchies too, whose cgroup.procs are named. */
  static SlurmProcess startIn(List<Path> more, String name, ClusterNode node, String... argv) {
    var procs = new ArrayList<>(more);
    procs.add(node.leaf(name));
    return new SlurmProcess(
        name, node, node.startIn(new StepSocketFile(procs, Map.of()), User.ROOT, argv));
  }

  /** Waits until a command in the node succeeds; that the daemon ends is a failure. */
  void awaitReady(String... probe) {
    var last = new ArrayList<Result>();
    boolean ready =
        Eventually.holds(
            READY_WITHIN,
            () -> {
              last.add(node.exec(User.ROOT, probe));
              return last.getLast().ok() || !running.isAlive();
            });
    if (!ready || !running.isAlive()) {
      throw new RigException("%s; asked: %s".formatted(this, last.getLast().err().strip()));
    }
  }

  private String said() {
    if (running.isAlive()) {
      return "is alive";
    }
    Result end = running.await(ENDS_WITHIN);
    return "ended with %d: %s".formatted(end.exit(), (end.err() + end.out()).strip());
  }

  @Override
  public String toString() {
    return "%s of %s %s".formatted(name, node.name(), said());
  }
}
