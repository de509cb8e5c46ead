package dev.rollcall.testkit.slurm;

import dev.rollcall.testkit.cluster.ClusterException;
import dev.rollcall.testkit.cluster.ClusterNode;
import dev.rollcall.testkit.cluster.Eventually;
import dev.rollcall.testkit.cluster.Result;
import dev.rollcall.testkit.cluster.Running;
import dev.rollcall.testkit.cluster.StepDoor;
import dev.rollcall.testkit.cluster.User;
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
        name, node, node.startIn(new StepDoor(procs, Map.of()), User.ROOT, argv));
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
      throw new ClusterException("%s; asked: %s".formatted(this, last.getLast().err().strip()));
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
