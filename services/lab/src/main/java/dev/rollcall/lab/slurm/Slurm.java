package dev.rollcall.lab.slurm;

import dev.rollcall.lab.cluster.BatchSystem;
import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.Parallel;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Slurm, to be raised on a test cluster. Several slurmd share this machine's kernel: each has a
 * cgroup namespace whose root is its node's part of every v1 hierarchy, which is bound over the
 * place where slurmd looks. All of it goes with the cluster.
 */
public final class Slurm implements BatchSystem {
  /** The v1 hierarchies that Slurm 22.05 uses with no cores constrained. */
  private static final List<String> CONTROLLERS =
      List.of("freezer", "memory", "cpuacct", "devices");

  private static final Duration IDLE_WITHIN = Duration.ofSeconds(60);

  private final SlurmSetup setup;

  public Slurm(SlurmSetup setup) {
    this.setup = setup;
  }

  @Override
  public List<String> agentConfig() {
    return setup.agentConfig();
  }

  @Override
  public void raise(TestCluster cluster) {
    SlurmPackages.check();
    try {
      new Raising(setup, cluster).raise();
    } catch (IOException e) {
      throw new RigException("cannot raise Slurm", e);
    }
  }

  /** One raise of it. */
  private record Raising(
      SlurmSetup setup,
      SlurmFiles files,
      ClusterNode head,
      List<ClusterNode> all,
      List<ClusterNode> compute) {
    Raising(SlurmSetup setup, TestCluster cluster) {
      this(
          setup,
          new SlurmFiles(cluster.directory()),
          cluster.node(NodeAddress.GATE),
          cluster.all(),
          cluster.compute());
    }

    void raise() throws IOException {
      files.write(setup, head, compute);
      Parallel.run(all.stream().<Parallel.Work>map(node -> () -> prepare(node)).toList());
      accounting();
      SlurmProcess controller = start("slurmctld", head, "slurmctld", "-D");
      List<SlurmProcess> daemons = compute.stream().map(this::slurmd).toList();
      controller.awaitReady("scontrol", "ping");
      Eventually.await(IDLE_WITHIN, this::idle, () -> nodes() + " and not idle; " + daemons);
    }

    private void prepare(ClusterNode node) {
      String etc = isWithoutFiles(node) ? "none" : files.directory().resolve("etc").toString();
      var argv =
          new ArrayList<>(
              List.of(
                  "sh", files.script("prepare.sh").toString(), files.directory().toString(), etc));
      for (String controller : CONTROLLERS) {
        node.cgroup(controller)
            .ifPresent(part -> argv.addAll(List.of(controller, part.toString())));
      }
      node.exec(User.ROOT, argv.toArray(String[]::new)).outOrThrow("preparing " + node.name());
      SlurmProcess.start(
              "munged",
              node,
              "setpriv",
              "--reuid=munge",
              "--regid=munge",
              "--init-groups",
              "munged",
              "--foreground",
              "--key-file=/run/munge/key",
              "--seed-file=/run/munge/seed",
              "--log-file=/run/munge/munged.log",
              "--pid-file=/run/munge/munged.pid")
          .awaitReady("munge", "-n");
    }

    private void accounting() {
      SlurmProcess database =
          SlurmProcess.start(
              "mariadbd",
              head,
              "sh",
              files.script("database.sh").toString(),
              files.directory().toString());
      database.awaitReady("mariadb", "--no-defaults", "-e", "select user from mysql.user");
      start("slurmdbd", head, "slurmdbd", "-D")
          .awaitReady("sacctmgr", "-i", "-Q", "add", "cluster", "demo");
    }

    /** Daemons of slurm's own start as that user. */
    private static SlurmProcess start(String name, ClusterNode node, String... argv) {
      var command =
          new ArrayList<>(List.of("setpriv", "--reuid=slurm", "--regid=slurm", "--init-groups"));
      command.addAll(List.of(argv));
      return SlurmProcess.start(name, node, command.toArray(String[]::new));
    }

    private SlurmProcess slurmd(ClusterNode node) {
      List<Path> roots =
          CONTROLLERS.stream()
              .map(node::cgroup)
              .flatMap(Optional::stream)
              .map(part -> part.resolve("cgroup.procs"))
              .toList();
      // The namespace is made where the process is: from there its paths are those of a real node.
      var argv = new ArrayList<>(List.of("unshare", "-C"));
      argv.addAll(
          setup.containers()
              ? List.of("sh", files.script("slurmd.sh").toString())
              : List.of("slurmd"));
      argv.addAll(List.of("-D", "-N", node.name()));
      if (isWithoutFiles(node)) {
        argv.addAll(List.of("--conf-server", head.name()));
      }
      return SlurmProcess.startIn(roots, "slurmd", node, argv.toArray(String[]::new));
    }

    private boolean isWithoutFiles(ClusterNode node) {
      return setup.configless() && compute.contains(node);
    }

    private boolean idle() {
      return nodes().equals("idle " + compute.size());
    }

    private String nodes() {
      return head.exec(User.ROOT, "sinfo", "-h", "-o", "%T %D").out().strip();
    }
  }
}
