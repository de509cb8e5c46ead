package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The settings of a cluster. Each "with" gives a changed copy. */
public final class ClusterSetup {
  /** The machine's own file system is every node's: what is on disk is in the node's /run. */
  private static final String PRIVATE_TMP =
      "defaults: {auto_base_path: true, base_path: /run/jobs/%n, dirs: [/tmp, /dev/shm]}\n";

  private static final Duration READY_WITHIN = Patience.ofSeconds(60);

  private final Optional<Path> distribution;
  private ClusterShape shape = ClusterShape.USUAL;
  private Optional<PamModule> pam = Optional.empty();
  private List<String> pamOptions = List.of();
  private Optional<BatchSystem> batchSystem = Optional.empty();
  private List<String> agentConfig = List.of();
  private List<String> gatewayConfig = List.of();
  private List<String> sshdConfig = List.of();
  private List<String> javaOptions = List.of();
  private Optional<AotCaches> caches = Optional.empty();
  private String containers = PRIVATE_TMP;
  private Set<NodeAddress> onV1 = Set.of();
  private Set<NodeAddress> nativeOn = Set.of();
  private boolean steppedClocks;
  private boolean metricsByTls;
  private Consumer<String> steps = _ -> {};

  private ClusterSetup(Optional<Path> distribution) {
    this.distribution = distribution;
  }

  private ClusterSetup copy(Consumer<ClusterSetup> change) {
    var copy = new ClusterSetup(distribution);
    copy.shape = shape;
    copy.pam = pam;
    copy.pamOptions = pamOptions;
    copy.batchSystem = batchSystem;
    copy.agentConfig = agentConfig;
    copy.gatewayConfig = gatewayConfig;
    copy.sshdConfig = sshdConfig;
    copy.javaOptions = javaOptions;
    copy.caches = caches;
    copy.containers = containers;
    copy.onV1 = onV1;
    copy.nativeOn = nativeOn;
    copy.steppedClocks = steppedClocks;
    copy.metricsByTls = metricsByTls;
    copy.steps = steps;
    change.accept(copy);
    return copy;
  }

  private static List<String> added(List<String> lines, String... more) {
    return Stream.concat(lines.stream(), Stream.of(more)).toList();
  }

  /** Nodes, users and sshd, without Rollcall. */
  public static ClusterSetup bare() {
    return new ClusterSetup(Optional.empty());
  }

  /**
   * The whole thing, on the JDK that runs this.
   *
   * @param distribution the folder with {@code lib/agent} and so on
   */
  public static ClusterSetup of(Path distribution) {
    return new ClusterSetup(Optional.of(distribution.toAbsolutePath().normalize()));
  }

  /** With so many nodes and gateways. More than one gateway make one grid. */
  public ClusterSetup withShape(ClusterShape other) {
    return copy(setup -> setup.shape = other);
  }

  /** With options of Rollcall's PAM module, as in a PAM line. */
  public ClusterSetup withPamOptions(String... options) {
    return copy(setup -> setup.pamOptions = List.of(options));
  }

  /** With another module than Rollcall's in sshd's stacks. */
  public ClusterSetup withPam(PamModule module) {
    return copy(setup -> setup.pam = Optional.of(module));
  }

  /** With a batch system that is raised on the nodes before any process of Rollcall starts. */
  public ClusterSetup withBatchSystem(BatchSystem system) {
    return copy(setup -> setup.batchSystem = Optional.of(system));
  }

  /** With more lines of every agent's YAML. */
  public ClusterSetup withAgentConfig(String... lines) {
    return copy(setup -> setup.agentConfig = added(agentConfig, lines));
  }

  /** With more lines of every gateway's YAML. */
  public ClusterSetup withGatewayConfig(String... lines) {
    return copy(setup -> setup.gatewayConfig = added(gatewayConfig, lines));
  }

  /** With more options of every agent's and gateway's JVM, after those they have. */
  public ClusterSetup withJavaOptions(String... options) {
    return copy(setup -> setup.javaOptions = added(javaOptions, options));
  }

  /** With AOT caches of the programs, which the JVMs read or write. */
  ClusterSetup withCaches(AotCaches files) {
    return copy(setup -> setup.caches = Optional.of(files));
  }

  /** With those of its distribution, unless it has some or there are none. */
  ClusterSetup withCachesOfItsDistribution() {
    return caches.isPresent()
        ? this
        : distribution.flatMap(AotCaches::of).map(this::withCaches).orElse(this);
  }

  /** With nodes whose jobs are in the v1 hierarchies; the others' are in cgroup2. */
  public ClusterSetup withV1On(NodeAddress... nodes) {
    return copy(setup -> setup.onV1 = Set.of(nodes));
  }

  /** With nodes whose jobs are Rollcall's, beside those of the batch system. */
  public ClusterSetup withNativeOn(NodeAddress... nodes) {
    return copy(setup -> setup.nativeOn = Set.of(nodes));
  }

  /** With other containers of jobs than a private /tmp and /dev/shm. */
  public ClusterSetup withContainers(String namespaceYaml) {
    return copy(setup -> setup.containers = namespaceYaml);
  }

  /** With wall clocks of agents and gateways that can be stepped. */
  public ClusterSetup withSteppedClocks() {
    return copy(setup -> setup.steppedClocks = true);
  }

  /** With metrics on the nodes' addresses, by TLS, in place of loopback. */
  public ClusterSetup withMetricsByTls() {
    return copy(setup -> setup.metricsByTls = true);
  }

  /** With sessions that enter containers when sshd has dropped its privileges. */
  public ClusterSetup withForceCommand() {
    Path enter = distribution.orElseThrow().resolve("lib/container/rollcall-enter");
    return withAgentConfig("user_namespace_sessions: force_command")
        .copy(setup ->
            setup.sshdConfig =
                List.of(
                    "Subsystem sftp /usr/lib/openssh/sftp-server",
                    "AcceptEnv ROLLCALL_TASK_CONTAINER",
                    "Match User *,!root",
                    "  ForceCommand " + enter + " --session"));
  }

  Optional<Path> distribution() {
    return distribution;
  }

  ClusterShape shape() {
    return shape;
  }

  Optional<PamModule> pam() {
    return pam;
  }

  List<String> pamOptions() {
    return pamOptions;
  }

  Optional<BatchSystem> batchSystem() {
    return batchSystem;
  }

  List<String> agentConfig() {
    return agentConfig;
  }

  List<String> gatewayConfig() {
    return gatewayConfig;
  }

  List<String> sshdConfig() {
    return sshdConfig;
  }

  List<String> javaOptions() {
    return javaOptions;
  }

  Optional<AotCaches> caches() {
    return caches;
  }

  String containers() {
    return containers;
  }

  Set<NodeAddress> onV1() {
    return onV1;
  }

  /** What agents of a node are told of the batch system; empty where the jobs are Rollcall's. */
  Optional<List<String>> batchConfig(NodeAddress node) {
    return batchSystem.filter(_ -> !nativeOn.contains(node)).map(BatchSystem::agentConfig);
  }

  boolean metricsByTls() {
    return metricsByTls;
  }

  boolean hasSteppedClocks() {
    return steppedClocks;
  }

  /** The JDK that agents and gateways run on. */
  Path javaHome() {
    return Path.of(System.getProperty("java.home"));
  }

  /** Passes each step of the start, as "starting gateway 1 of 2", to a reader. */
  public ClusterSetup withSteps(Consumer<String> reader) {
    return copy(setup -> setup.steps = reader);
  }

  Consumer<String> steps() {
    return steps;
  }

  /** How long each process may take to report that it is ready. */
  Duration readyWithin() {
    return READY_WITHIN;
  }
}
