package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A node that is up: a place where commands run. */
public final class ClusterNode {
  private static final Duration EXEC_DEADLINE = Patience.ofSeconds(60);

  private final ClusterLayout layout;
  private final NodeAddress address;
  private final NodeNamespaces namespaces;
  private final Optional<Path> distribution;
  private final Optional<AotCaches> caches;
  private final Path execProcs;

  private ClusterNode(
      ClusterLayout layout, NodeAddress address, NodeNamespaces namespaces, ClusterSetup setup) {
    this.distribution = setup.distribution();
    this.caches = setup.caches();
    this.layout = layout;
    this.address = address;
    this.namespaces = namespaces;
    this.execProcs = layout.procs(address, "exec");
  }

  static ClusterNode raise(
      ClusterLayout layout, Networks networks, NodeAddress address, ClusterSetup setup)
      throws IOException {
    layout.procs(address, "sshd");
    List<Card> cards = layout.shape().cards(address);
    Files.write(
        layout.of(address, "network"),
        cards.stream().flatMap(card -> card.settings().stream()).toList());
    var namespaces =
        NodeNamespaces.start(
            address.name(),
            List.of("-n", "-u", "-i", "-m", "--propagation", "private"),
            layout.procs(address, "init"),
            layout.log(address, "node.log"),
            List.of(
                "sh",
                layout.script("node.sh").toString(),
                address.name(),
                layout.files().toString(),
                layout.cgroup(address).toString(),
                layout.shape().topology().hostName(address)));
    namespaces.expect("namespaced");
    networks.plug(address, cards, namespaces.pid());
    namespaces.tell("wired");
    namespaces.expect("up");
    return new ClusterNode(layout, address, namespaces, setup);
  }

  public NodeAddress address() {
    return address;
  }

  public String name() {
    return address.name();
  }

  /** The pid of the process that holds the node's namespaces, as the whole machine sees it. */
  public long pid() {
    return namespaces.pid();
  }

  /** A file of the node, as the machine sees it. */
  public Path file(String absolute) {
    return Path.of("/proc/" + pid() + "/root" + absolute);
  }

  /** Where this node's processes are: its part of the machine's cgroup2 tree. */
  public Path cgroup() {
    return layout.cgroup(address);
  }

  /**
   * This node's part of the machine's cgroup v1 tree of one controller, made when first asked for;
   * empty where the machine does not have that controller mounted alone.
   */
  public Optional<Path> cgroup(String controller) {
    return new ControllerTrees(layout.id()).of(controller, address);
  }

  /** The cgroup.procs of a leaf of the node's cgroup2 tree, for what is none of Rollcall's. */
  public Path leaf(String name) {
    return layout.procs(address, name);
  }

  /** The cgroup of a process as the kernel tells it, below the node's own part of the tree. */
  public String cgroupOf(long pid) {
    return below(Cgroups.of(pid));
  }

  /** The same, from the text of a /proc/PID/cgroup. */
  public String below(String procCgroup) {
    return Cgroups.below(cgroup(), procCgroup);
  }

  /** Runs a command outside any job and waits for it, at most a minute. */
  public Result exec(User user, String... argv) {
    return start(user, argv).await(EXEC_DEADLINE);
  }

  /**
   * Runs the command as root, outside any job, and waits for it, at most a minute. Its Java is this
   * process's, which need not be where the launcher looks.
   */
  public Result rollcall(String... words) {
    var argv = new ArrayList<>(List.of("env", "JAVA_HOME=" + System.getProperty("java.home")));
    caches.ifPresent(files -> argv.add("ROLLCALL_CLI_OPTS=" + files.options("cli")));
    argv.add(distribution.orElseThrow().resolve("bin/rollcall").toString());
    argv.addAll(List.of(words));
    return exec(User.ROOT, argv.toArray(String[]::new));
  }

  /** The same as a user, with words for sh(1). */
  public Result rollcall(User user, String words) {
    return shell(user, rollcallCommand() + " " + words);
  }

  /** The command with its environment, as words for sh(1). */
  public String rollcallCommand() {
    return "env 'JAVA_HOME=%s' 'ROLLCALL_CLI_OPTS=%s' '%s'"
        .formatted(
            System.getProperty("java.home"),
            caches.map(files -> files.options("cli")).orElse(""),
            distribution.orElseThrow().resolve("bin/rollcall"));
  }

  /** Runs a shell command outside any job and waits for it, at most a minute. */
  public Result shell(User user, String script) {
    return exec(user, "sh", "-c", script);
  }

  /** Starts a command outside any job. */
  public Running start(User user, String... argv) {
    return startIn(StepSocketFile.of(execProcs), user, argv);
  }

  /** Starts a command that first enters a step of a job. */
  public Running startIn(StepSocketFile step, User user, String... argv) {
    return Running.start(enter(step, user, List.of(argv)));
  }

  List<String> enter(StepSocketFile step, User user, List<String> command) {
    var argv =
        new ArrayList<>(
            List.of(
                "sh",
                layout.script("enter.sh").toString(),
                Long.toString(pid()),
                user.login(),
                user.home()));
    step.procs().forEach(file -> argv.add(file.toString()));
    if (step.isOwnersAlone()) {
      argv.add("--by=" + distribution.orElseThrow().resolve("lib/container/rollcall-enter"));
    }
    argv.addAll(step.joining());
    argv.add("--");
    caches.flatMap(AotCaches::variable).ifPresent(argv::add);
    argv.addAll(command);
    return argv;
  }

  /** Drops every incoming call but ssh, until it is closed. */
  public Barrier dropIncoming() {
    return Barrier.againstCalls(this);
  }

  /** Cuts the way to every gateway: nothing is refused, everything is lost, until it is closed. */
  public Barrier cutStream() {
    return Barrier.to(this, layout.shape().gates(), Daemons.GATEWAY_PORT);
  }

  /**
   * The folder of a small file system of the node's own, where its agent's state and usage file
   * are, as the node sees it.
   */
  public String disk() {
    return layout.disk(address).toString();
  }

  /** Kills every process of the node's jobs and sessions, and removes their cgroups. */
  public void killJobs() {
    List<CgroupTree> trees =
        Stream.of("rollcall.scope", "exec", "agent")
            .map(name -> new CgroupTree(cgroup().resolve(name)))
            .toList();
    trees.forEach(CgroupTree::destroy);
    shell(
        User.ROOT,
        "for pid in $(cat %s); do [ $pid = $(cat /run/sshd.pid) ] || kill -9 $pid; done 2>/dev/null; true"
            .formatted(leaf("sshd")));
    layout.procs(address, "exec");
    layout.procs(address, "agent");
  }

  /** The agent's socket for everyone, as the machine sees it. */
  public Path agentSocket() {
    return file("/run/rollcall/agent.sock");
  }
}
