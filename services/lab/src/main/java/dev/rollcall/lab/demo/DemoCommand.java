package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.machine.VmException;
import dev.rollcall.lab.machine.VmRecipe;
import dev.rollcall.lab.slurm.Slurm;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.lab.slurm.SlurmSetup;
import dev.rollcall.testkit.process.RigException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Raises a cluster on this machine, plays the scenes, and takes everything away again. */
@Command(
    name = "demo",
    description =
        "Raise three nodes, a login node and gateways as network namespaces on this machine, and"
            + " play what Rollcall does there. As root.")
public final class DemoCommand implements Callable<Integer> {
  /** The login socket's deadline beside an emulated processor. */
  private static final String EMULATED = "timeout_ms=5000";

  @Option(names = "--once", description = "End after the scenes; exit 1 if one differs.")
  private boolean once;

  @Option(names = "--json", description = "Print a JSON array of scene, ok, ms, and nothing else.")
  private boolean json;

  @Option(
      names = "--slurm",
      description =
          "Let a real Slurm, Debian's, own the jobs: the scenes under sbatch, and sacct. A version"
              + " behind it (22.05, 24.11, 26.05) uses the Debian that has it, in a chroot.")
  private boolean slurm;

  @Option(
      names = "--vm",
      description =
          "In a virtual machine with systemd and every cgroup v2 controller, and more scenes there."
              + " Without KVM, so slowly; its image is built once.")
  private boolean vm;

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      defaultValue = VmRecipe.DEBIAN_KERNEL,
      description = "With --vm: 6.1, 6.12, or a Debian package of a kernel (default: 6.1).")
  private String kernel = VmRecipe.DEBIAN_KERNEL;

  @Option(
      names = "--gateways",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many gateways, 1 to 9; several form a cluster (default: ${DEFAULT-VALUE}). With --vm"
              + " there is one.")
  private int gateways = 2;

  @Option(
      names = "--image",
      description =
          "One more scene: a gateway runs from its OCI image, by runc. The image is made before,"
              + " which takes half a minute.")
  private boolean image;

  /** What --vm starts inside the machine. */
  @Option(names = "--inside", hidden = true)
  private boolean inside;

  /** With --inside: these scenes of the node, and none of the plain demo. */
  @Option(names = "--only", paramLabel = "NAME", split = ",", hidden = true)
  private List<String> only = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    if (image && (vm || slurm)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--image is for the plain demo: not with --vm or --slurm");
    }
    try {
      if (vm) {
        return new VmDemo(distribution(), kernel, spec.commandLine().getOut(), err)
            .play(once, json);
      }
      var bill = new Playbill(spec.commandLine().getOut(), err, json);
      return inside ? inside(bill, err) : here(bill, err);
    } catch (RigException | VmException e) {
      Playbill.say(err, "rollcall: " + e.getMessage());
      return 1;
    }
  }

  private int here(Playbill bill, PrintWriter err) throws InterruptedException {
    try (var cluster = TestCluster.start(setup());
        var agents = new AgentLines()) {
      raised(cluster, err);
      if (slurm) {
        var jobs = new SlurmCommandJobs(cluster);
        play(Scenes.withSlurm(jobs), Stage.withSlurm(cluster, agents, jobs), bill);
      } else {
        Stage stage = Stage.of(cluster, agents);
        play(Scenes.all(), stage, bill);
        play(Scenes.withGateways(gateways), stage, bill);
        if (image) {
          play(Scenes.withImage(distribution().resolveSibling("demo-image")), stage, bill);
        }
      }
      boolean allHold = bill.close();
      if (!once) {
        lookAround(cluster, json ? err : spec.commandLine().getOut());
        // Ctrl-C ends the process, and the cluster's own hook then takes it down.
        new CountDownLatch(1).await();
      }
      return allHold ? 0 : 1;
    }
  }

  /** The scenes of the cluster, then those of a node with systemd, one after the other. */
  private int inside(Playbill bill, PrintWriter err) {
    NodeScenes.check(only);
    try (var node = SystemdNode.here()) {
      play(chosen(NodeScenes.alone()), node, bill);
      List<NodeScene> withSlurm = chosen(NodeScenes.withSlurm());
      if (!withSlurm.isEmpty()) {
        try (var _ = SlurmOnNode.start(node)) {
          play(withSlurm, node, bill);
        }
      }
    }
    if (!only.isEmpty()) {
      return bill.close() ? 0 : 1;
    }
    var setup = ClusterSetup.of(distribution()).withPamOptions(EMULATED);
    try (var cluster = TestCluster.start(setup);
        var agents = new AgentLines()) {
      raised(cluster, err);
      play(Scenes.all(), Stage.of(cluster, agents), bill);
    }
    return bill.close() ? 0 : 1;
  }

  private static void raised(TestCluster cluster, PrintWriter err) {
    Playbill.say(
        err, "cluster %s is ready after %d ms".formatted(cluster.id(), cluster.age().toMillis()));
  }

  /** The script names the distribution that it built. */
  private static Path distribution() {
    String folder = System.getProperty("rollcall.distribution");
    if (folder == null) {
      throw new RigException("the demo is started by ./rollcall at the source tree's root");
    }
    return Path.of(folder);
  }

  private ClusterSetup setup() {
    var setup = ClusterSetup.of(distribution()).withShape(shape());
    return slurm
        ? setup
            .withBatchSystem(new Slurm(SlurmSetup.of(distribution())))
            .withPamOptions(SlurmSetup.PATIENCE)
        : setup;
  }

  private ClusterShape shape() {
    try {
      return new ClusterShape(ClusterShape.USUAL.nodes(), gateways);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--gateways: " + e.getMessage(), e);
    }
  }

  private static void play(List<Scene> scenes, Stage stage, Playbill bill) {
    for (Scene scene : scenes) {
      bill.note(scene.name(), scene.what(), scene.play(stage), stage.cluster()::logs);
    }
  }

  private List<NodeScene> chosen(List<NodeScene> scenes) {
    return scenes.stream().filter(scene -> only.isEmpty() || only.contains(scene.name())).toList();
  }

  private static void play(List<NodeScene> scenes, SystemdNode node, Playbill bill) {
    for (NodeScene scene : scenes) {
      bill.note(scene.name(), scene.what(), scene.play(node), node::log);
    }
  }

  private void lookAround(TestCluster cluster, PrintWriter out) {
    var lines = new ArrayList<String>();
    lines.add("The cluster stays up until Ctrl-C. Its logs are in " + cluster.directory() + ".");
    lines.add("Enter a node as root:");
    List<ClusterNode> nodes = cluster.nodes();
    nodes.forEach(node -> lines.add("  %-6s %s".formatted(node.name(), node.way())));
    String java = System.getProperty("java.home");
    if (!java.startsWith("/usr/lib/jvm/") && !java.startsWith("/opt/java/")) {
      lines.add("There, name the Java that the command does not find:");
      lines.add("  export JAVA_HOME=" + java);
    }
    lines.addAll(slurm ? tryBatch() : tryNative());
    Playbill.say(out, String.join("\n", lines));
  }

  private static List<String> tryNative() {
    return List.of(
        "Then, on node1 and node2 both, begin a job, and on node1 go ssh from inside it:",
        "  rollcall=" + distribution().resolve("bin/rollcall"),
        "  $rollcall job begin --user alice 901",
        "  $rollcall job run --job 901 -- ssh node2 cat /proc/self/cgroup",
        "See also $rollcall jobs, ps 901, nodes, whois SRC DST, and the logs in /var/log.");
  }

  private static List<String> tryBatch() {
    return List.of(
        "Then, on login, submit a job as alice and go ssh from one of its steps:",
        "  setpriv --reuid alice --regid alice --init-groups env HOME=/home/alice sh",
        "  sbatch -w node1,node2 -N2 --chdir /tmp -o /dev/null --wrap 'exec sleep 600'",
        "  srun --jobid ID --overlap -w node1 -N1 -n1 ssh node2 cat /proc/self/cgroup",
        "See also %s jobs, squeue, sacct, and the logs in /var/log."
            .formatted(distribution().resolve("bin/rollcall")));
  }
}
