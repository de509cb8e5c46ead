package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.Topology;
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
      names = "--shape",
      paramLabel = "flat|site",
      defaultValue = "site",
      description =
          "The networks: one for all nodes, or racks behind a router (default: ${DEFAULT-VALUE})."
              + " With --vm they are flat.")
  private String shape = "site";

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

  private final DemoTerminal terminal = DemoTerminal.ofLauncher();

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
            .play(once, json, only);
      }
      try (var steps = new StepLine(err, terminal)) {
        return inside ? inside(steps, err) : here(steps, err);
      }
    } catch (RigException | VmException e) {
      Playbill.say(err, "rollcall: " + e.getMessage());
      return 1;
    }
  }

  private int here(StepLine steps, PrintWriter err) throws InterruptedException {
    try (var cluster = TestCluster.start(setup().withSteps(steps::show));
        var agents = new AgentLines()) {
      raised(cluster, steps, err);
      var jobs = new SlurmCommandJobs(cluster);
      List<Scene> scenes = new ArrayList<>(slurm ? Scenes.withSlurm(jobs) : plain());
      scenes.addAll(Scenes.withTopology(cluster.shape().topology()));
      Playbill bill = bill(steps, scenes.size());
      play(
          scenes, slurm ? Stage.withSlurm(cluster, agents, jobs) : Stage.of(cluster, agents), bill);
      boolean allHold = bill.close();
      if (!once) {
        PrintWriter out = spec.commandLine().getOut();
        Playbill.say(json ? err : out, new LookAround(cluster, distribution(), slurm).text());
        // Ctrl-C ends the process, and the cluster's own hook then takes it down.
        new CountDownLatch(1).await();
      }
      return allHold ? 0 : 1;
    }
  }

  private List<Scene> plain() {
    List<Scene> scenes = new ArrayList<>(Scenes.all());
    scenes.addAll(Scenes.withGateways(gateways));
    if (image) {
      scenes.addAll(Scenes.withImage(distribution().resolveSibling("demo-image")));
    }
    return scenes;
  }

  private Playbill bill(StepLine steps, int scenes) {
    CommandLine command = spec.commandLine();
    return new Playbill(command.getOut(), command.getErr(), json, terminal, steps, scenes);
  }

  /** The scenes of the cluster, then those of a node with systemd, one after the other. */
  private int inside(StepLine steps, PrintWriter err) {
    NodeScenes.check(only);
    List<NodeScene> alone = chosen(NodeScenes.alone());
    List<NodeScene> withSlurm = chosen(NodeScenes.withSlurm());
    int plain = only.isEmpty() ? Scenes.all().size() : 0;
    Playbill bill = bill(steps, alone.size() + withSlurm.size() + plain);
    try (var node = SystemdNode.here()) {
      play(alone, node, bill);
      if (!withSlurm.isEmpty()) {
        try (var _ = SlurmOnNode.start(node)) {
          play(withSlurm, node, bill);
        }
      }
    }
    if (!only.isEmpty()) {
      return bill.close() ? 0 : 1;
    }
    // The scenes of a node are what this machine is for: one network is enough.
    var flat = new ClusterShape(ClusterShape.USUAL.nodes(), 1, Topology.FLAT);
    var setup = ClusterSetup.of(distribution()).withShape(flat).withPamOptions(EMULATED);
    try (var cluster = TestCluster.start(setup);
        var agents = new AgentLines()) {
      raised(cluster, steps, err);
      play(Scenes.all(), Stage.of(cluster, agents), bill);
    }
    return bill.close() ? 0 : 1;
  }

  private static void raised(TestCluster cluster, StepLine steps, PrintWriter err) {
    steps.clear();
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
    var setup =
        ClusterSetup.of(distribution()).withShape(shape()).withAgentConfig("job_metrics: sessions");
    return slurm
        ? setup
            .withBatchSystem(new Slurm(SlurmSetup.of(distribution())))
            .withPamOptions(SlurmSetup.PATIENCE)
        : setup;
  }

  private ClusterShape shape() {
    try {
      return new ClusterShape(ClusterShape.USUAL.nodes(), gateways, Topology.of(shape));
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static void play(List<Scene> scenes, Stage stage, Playbill bill) {
    for (Scene scene : scenes) {
      bill.play(scene.name(), scene.what(), () -> scene.play(stage), stage.cluster()::logs);
    }
  }

  private List<NodeScene> chosen(List<NodeScene> scenes) {
    return scenes.stream().filter(scene -> only.isEmpty() || only.contains(scene.name())).toList();
  }

  private static void play(List<NodeScene> scenes, SystemdNode node, Playbill bill) {
    for (NodeScene scene : scenes) {
      bill.play(scene.name(), scene.what(), () -> scene.play(node), node::log);
    }
  }
}
