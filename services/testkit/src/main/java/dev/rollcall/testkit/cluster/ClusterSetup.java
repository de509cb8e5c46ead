package dev.rollcall.testkit.cluster;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a cluster is raised from.
 *
 * @param distribution the folder with {@code lib/agent} and so on; empty: nodes with a plain sshd
 * @param javaHome the JDK that agents and the gateway run on
 * @param pam the module of sshd's PAM stacks; empty: Rollcall's own, if there is a distribution
 * @param pamOptions options of the module, as in a PAM line
 * @param batchSystem what owns the jobs; empty: Rollcall itself
 * @param agentConfig lines of YAML that every agent is configured with beside its own
 * @param sshdConfig lines of every sshd's configuration beside its own
 * @param containers what jobs get of their own where there is no batch system, as namespace.yaml
 *     has it
 * @param onV1 the nodes whose jobs are in the v1 hierarchies; the others' are in cgroup2
 * @param readyWithin how long each process may take to report that it is ready
 */
public record ClusterSetup(
    Optional<Path> distribution,
    Path javaHome,
    Optional<PamModule> pam,
    List<String> pamOptions,
    Optional<BatchSystem> batchSystem,
    List<String> agentConfig,
    List<String> sshdConfig,
    String containers,
    Set<NodeAddress> onV1,
    Duration readyWithin) {
  public ClusterSetup {
    requireNonNull(distribution, "distribution");
    requireNonNull(javaHome, "javaHome");
    requireNonNull(pam, "pam");
    pamOptions = List.copyOf(pamOptions);
    requireNonNull(batchSystem, "batchSystem");
    agentConfig = List.copyOf(agentConfig);
    sshdConfig = List.copyOf(sshdConfig);
    requireNonNull(containers, "containers");
    onV1 = Set.copyOf(onV1);
    requireNonNull(readyWithin, "readyWithin");
  }

  /** The machine's own file system is every node's: what is on disk is in the node's /run. */
  private static final String PRIVATE_TMP =
      "defaults: {auto_base_path: true, base_path: /run/jobs/%n, dirs: [/tmp, /dev/shm]}\n";

  private static final Duration READY_WITHIN = Patience.ofSeconds(60);

  /** Nodes, users and sshd, without Rollcall. */
  public static ClusterSetup bare() {
    return from(Optional.empty());
  }

  /** The whole thing, from a distribution, on the JDK that runs this. */
  public static ClusterSetup of(Path distribution) {
    return from(Optional.of(distribution.toAbsolutePath().normalize()));
  }

  private static ClusterSetup from(Optional<Path> distribution) {
    return new ClusterSetup(
        distribution,
        ownJava(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        List.of(),
        List.of(),
        PRIVATE_TMP,
        Set.of(),
        READY_WITHIN);
  }

  public ClusterSetup withPamOptions(String... options) {
    return new ClusterSetup(
        distribution,
        javaHome,
        pam,
        List.of(options),
        batchSystem,
        agentConfig,
        sshdConfig,
        containers,
        onV1,
        readyWithin);
  }

  /** With another module than Rollcall's in sshd's stacks. */
  public ClusterSetup withPam(PamModule module) {
    return new ClusterSetup(
        distribution,
        javaHome,
        Optional.of(module),
        pamOptions,
        batchSystem,
        agentConfig,
        sshdConfig,
        containers,
        onV1,
        readyWithin);
  }

  /** With a batch system that is raised on the nodes before any process of Rollcall starts. */
  public ClusterSetup withBatchSystem(BatchSystem system) {
    return new ClusterSetup(
        distribution,
        javaHome,
        pam,
        pamOptions,
        Optional.of(system),
        system.agentConfig(),
        sshdConfig,
        containers,
        onV1,
        readyWithin);
  }

  /** With nodes whose jobs are in the v1 hierarchies. */
  public ClusterSetup withV1On(NodeAddress... nodes) {
    return new ClusterSetup(
        distribution,
        javaHome,
        pam,
        pamOptions,
        batchSystem,
        agentConfig,
        sshdConfig,
        containers,
        Set.of(nodes),
        readyWithin);
  }

  /** With other containers of jobs than a private /tmp and /dev/shm. */
  public ClusterSetup withContainers(String namespaceYaml) {
    return new ClusterSetup(
        distribution,
        javaHome,
        pam,
        pamOptions,
        batchSystem,
        agentConfig,
        sshdConfig,
        namespaceYaml,
        onV1,
        readyWithin);
  }

  /** With sessions that enter containers when sshd has dropped its privileges. */
  public ClusterSetup withForceCommand() {
    Path enter = distribution.orElseThrow().resolve("lib/container/rollcall-enter");
    return new ClusterSetup(
        distribution,
        javaHome,
        pam,
        pamOptions,
        batchSystem,
        List.of("user_namespace_sessions: force_command"),
        List.of(
            "Subsystem sftp /usr/lib/openssh/sftp-server",
            "Match User *,!root",
            "  ForceCommand " + enter + " --session"),
        containers,
        onV1,
        readyWithin);
  }

  private static Path ownJava() {
    return Path.of(System.getProperty("java.home"));
  }
}
