package dev.rollcall.load.quiet;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.slurm.Slurm;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.lab.slurm.SlurmSetup;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster with Slurm's jobs on node2, and Rollcall's own on node4. */
final class QuietCluster implements AutoCloseable {
  private static final NodeAddress SLURMS = NodeAddress.NODE2;
  private static final NodeAddress OWN = NodeAddress.node(4);

  private final TestCluster cluster;
  private final SlurmCommandJobs slurm;

  private QuietCluster(TestCluster cluster) {
    this.cluster = cluster;
    this.slurm = new SlurmCommandJobs(cluster);
  }

  static QuietCluster raise(Path distribution) {
    try {
      return new QuietCluster(
          TestCluster.start(
              ClusterSetup.of(distribution)
                  .withShape(new ClusterShape(4, 1))
                  .withBatchSystem(new Slurm(SlurmSetup.of(distribution)))
                  .withNativeOn(OWN)
                  .withPamOptions(SlurmSetup.PATIENCE)));
    } catch (RigException e) {
      throw new BenchFailedException("no cluster with Slurm could be raised: " + e.getMessage(), e);
    }
  }

  Path directory() {
    return cluster.directory();
  }

  ClusterNode login() {
    return cluster.node(NodeAddress.LOGIN);
  }

  /** Where Rollcall has the jobs. */
  ClusterNode own() {
    return cluster.node(OWN);
  }

  /** Where Slurm has them. */
  ClusterNode slurms() {
    return cluster.node(SLURMS);
  }

  SlurmCommandJobs slurm() {
    return slurm;
  }

  long agent() {
    return cluster.agent(OWN).pid();
  }

  long agentOnSlurms() {
    return cluster.agent(SLURMS).pid();
  }

  long slurmd() {
    for (int pid : pidsBelow(slurms().leaf("slurmd").resolveSibling(""))) {
      if (nameOf(pid).equals("slurmd")) {
        return pid;
      }
    }
    throw new BenchFailedException("no slurmd runs on " + slurms().name());
  }

  private static String nameOf(int pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/comm")).strip();
    } catch (IOException e) {
      return ""; // it has ended
    }
  }

  /** Every process of the cluster. */
  List<Integer> pids() {
    var pids = new ArrayList<Integer>();
    cluster.all().forEach(node -> pids.addAll(pidsBelow(node.cgroup())));
    return pids;
  }

  private static List<Integer> pidsBelow(Path cgroup) {
    try {
      return new CgroupDirectory(cgroup).pidsBelow();
    } catch (IOException e) {
      throw new BenchFailedException("cannot read " + cgroup + ": " + e.getMessage(), e);
    }
  }

  /** What the daemons wrote, for a failure. */
  String logs() {
    return cluster.logs() + slurm.logs();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
