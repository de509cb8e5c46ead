package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.Slurm;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.lab.slurm.SlurmSetup;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster with a real Slurm, where jobs begin on node1 and node2 as Slurm's, and under the same
 * number on node4 as Rollcall's own. So one process of a job can go to node2 by Slurm's module and
 * by ours, and to node4 by ours, in turn.
 */
final class LoginCluster implements AutoCloseable {
  /** Where Slurm has the jobs. */
  static final NodeAddress SLURMS = NodeAddress.NODE2;

  /** Where Rollcall has them. */
  static final NodeAddress OWN = NodeAddress.node(4);

  private static final Duration LISTENS_WITHIN = Duration.ofSeconds(30);

  private final TestCluster cluster;
  private final SlurmCommandJobs slurm;
  private final ProbeServer probe;
  private final List<Running> probes = new ArrayList<>();

  private LoginCluster(TestCluster cluster, ProbeServer probe) {
    this.cluster = cluster;
    this.slurm = new SlurmCommandJobs(cluster);
    this.probe = probe;
  }

  static LoginCluster raise(Path distribution) {
    TestCluster cluster;
    try {
      cluster =
          TestCluster.start(
              ClusterSetup.of(distribution)
                  .withShape(new ClusterShape(4, 1))
                  .withBatchSystem(new Slurm(SlurmSetup.of(distribution)))
                  .withNativeOn(OWN)
                  .withAgentConfig("announced_ports: [22, %d]".formatted(LoginTarget.ANNOUNCED))
                  .withPamOptions("timeout_ms=5000"));
    } catch (RigException e) {
      throw new BenchFailedException("no cluster with Slurm could be raised: " + e.getMessage(), e);
    }
    try {
      var raised = new LoginCluster(cluster, ProbeServer.compile(cluster.directory()));
      raised.openDoors(distribution);
      return raised;
    } catch (IOException | RigException e) {
      cluster.close();
      throw new BenchFailedException("the probe does not listen: " + e.getMessage(), e);
    } catch (BenchFailedException e) {
      cluster.close();
      throw e;
    }
  }

  private void openDoors(Path distribution) throws IOException {
    for (NodeAddress address : List.of(SLURMS, OWN)) {
      ClusterNode node = node(address);
      stack(node, Module.FLOOR);
      stack(node, Module.PEER, node.name());
      stack(node, Module.OURS, distribution, LoginTarget.ANNOUNCED + "," + LoginTarget.UNANNOUNCED);
      Running running =
          node.start(User.ROOT, probe.serve(LoginTarget.ANNOUNCED, LoginTarget.UNANNOUNCED));
      probes.add(running);
      running.awaitOutput("listening", LISTENS_WITHIN);
    }
  }

  private static void stack(ClusterNode node, Module module, Object... words) throws IOException {
    Files.writeString(
        node.file("/etc/pam.d/" + module.service()),
        "auth required pam_permit.so\n" + module.account(words));
  }

  TestCluster cluster() {
    return cluster;
  }

  ProbeServer probe() {
    return probe;
  }

  ClusterNode node(NodeAddress address) {
    return cluster.node(address);
  }

  /** Begins a job of a user on all nodes that take part, and returns its number. */
  long begin(User owner) {
    long job =
        slurm.submit(owner, List.of(node(NodeAddress.NODE1), node(SLURMS)), "--oversubscribe");
    node(OWN)
        .rollcall("job", "begin", Long.toString(job), "--user", owner.login(), "--timeout", "60")
        .outOrThrow("rollcall job begin");
    return job;
  }

  /** Starts a command outside of every job, on the login node. */
  Running fromLogin(User user, String... argv) {
    return node(NodeAddress.LOGIN).start(user, argv);
  }

  /** Starts a command as a step of a job on node1. */
  Running fromJob(long job, User user, String... argv) {
    return slurm.step(node(NodeAddress.NODE1), job, user, argv);
  }

  /** What the daemons wrote, for a failure. */
  String logs() {
    return cluster.logs() + slurm.logs();
  }

  @Override
  public void close() {
    probes.forEach(Running::kill);
    cluster.close();
  }
}
