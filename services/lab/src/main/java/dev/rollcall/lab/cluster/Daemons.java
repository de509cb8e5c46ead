package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes the configuration of a node's Rollcall processes and makes them, not yet started. */
final class Daemons {
  static final String CLUSTER = "demo";
  static final int GATEWAY_PORT = 7450;

  static final int MEMBER_PORT = 7452;

  private static final int AGENT_METRICS = 7451;
  private static final int GATEWAY_METRICS = 7453;

  private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

  /** Several gateways share the machine with many agents. */
  private static final String MEMBER_HEAP = "-Xmx256m";

  /** The launcher's word for the folder in which a program notes what it loads. */
  private static final String PRACTICE = "ROLLCALL_PRACTICE";

  private final ClusterLayout layout;
  private final ClusterSetup setup;
  private final Path distribution;

  Daemons(ClusterLayout layout, ClusterSetup setup, Path distribution) {
    this.layout = layout;
    this.setup = setup;
    this.distribution = distribution;
  }

  Daemon agent(ClusterNode node) throws IOException {
    Path config = layout.of(node.address(), "agent.yaml");
    Files.writeString(
        config,
        """
        cluster: "%s"
        gateways: [%s]
        metrics: "%s"
        %sstate_directory: "%s"
        usage_file: "%s"
        audit_file: "%s"
        audit_only_file: "%s"
        cgroup_root: "%s"
        bpf: "%s"
        %s
        """
            .formatted(
                CLUSTER,
                quoted(gate -> topology().endpoint(gate, GATEWAY_PORT)),
                metrics(node, AGENT_METRICS),
                tls(node.address()),
                layout.disk(node.address()).resolve("state"),
                layout.disk(node.address()).resolve("usage.jsonl"),
                layout.disk(node.address()).resolve("audit.jsonl"),
                layout.of(node.address(), "audit_only.yaml"),
                cgroupRoot(node.address()),
                // In cgroup2 it would be attached to the whole machine's root.
                setup.onV1().contains(node.address()) ? "off" : "auto",
                agentConfig(node.address())));
    return daemon("agent", node, config, health(node, AGENT_METRICS));
  }

  /** In clear on loopback, for curl without ado, or by TLS for whoever is elsewhere. */
  private String metrics(ClusterNode node, int port) {
    return setup.metricsByTls() ? topology().endpoint(node.address(), port) : "127.0.0.1:" + port;
  }

  private String health(ClusterNode node, int port) {
    String scheme = setup.metricsByTls() ? "https" : "http";
    return scheme + "://" + metrics(node, port) + "/health/ready";
  }

  /** Whatever is installed on this machine: without a batch system the jobs are the agents'. */
  private String agentConfig(NodeAddress node) throws IOException {
    String jobs =
        setup.batchConfig(node).isPresent()
            ? String.join("\n", setup.batchConfig(node).get())
            : "provider: native\ncontainer_conf: \"" + containerConf() + "\"";
    return jobs + "\n" + String.join("\n", setup.agentConfig());
  }

  private Path containerConf() throws IOException {
    Path file = layout.files().resolve("namespace.yaml");
    Files.writeString(file, setup.containers());
    return file;
  }

  private Path cgroupRoot(NodeAddress node) {
    return setup.onV1().contains(node)
        ? new ControllerTrees(layout.id())
            .of("freezer", node)
            .orElseThrow(() -> new RigException("no v1 freezer hierarchy is mounted"))
        : layout.cgroup(node);
  }

  Daemon gateway(ClusterNode node) throws IOException {
    Path config = layout.of(node.address(), "gateway.yaml");
    Files.writeString(
        config,
        """
        cluster: "%s"
        listen: "%s"
        metrics: "%s"
        %s%s%s%s
        """
            .formatted(
                CLUSTER,
                topology().endpoint(node.address(), GATEWAY_PORT),
                metrics(node, GATEWAY_METRICS),
                topology().nodeNetworks(),
                grid(node.address()),
                tls(node.address()),
                String.join("\n", setup.gatewayConfig())));
    return daemon("gateway", node, config, health(node, GATEWAY_METRICS));
  }

  private String grid(NodeAddress node) {
    return layout.shape().hasGrid()
        ? """
        members: [%s]
        member_listen: "%s:%d"
        """
            .formatted(
                quoted(gate -> gate.memberV4() + ":" + MEMBER_PORT), node.memberV4(), MEMBER_PORT)
        : "";
  }

  private String quoted(Function<NodeAddress, String> endpoint) {
    return layout.shape().gates().stream()
        .map(gate -> "\"%s\"".formatted(endpoint.apply(gate)))
        .collect(Collectors.joining(", "));
  }

  private Topology topology() {
    return layout.shape().topology();
  }

  /** What the launcher adds to the JVM's flags, as words of env(1). */
  private List<String> javaOptions(NodeAddress node) {
    String more = String.join(" ", setup.javaOptions());
    String heap = layout.shape().hasGrid() ? MEMBER_HEAP : "";
    return List.of(
        "ROLLCALL_AGENT_OPTS=" + String.join(" ", cache("agent", node), compilers(), more).strip(),
        "ROLLCALL_GATEWAY_OPTS="
            + String.join(" ", cache("gateway", node), compilers(), heap, more).strip());
  }

  /**
   * A JVM that lives for a minute of tests, which have caches, gains nothing by its second compiler
   * and gives it an eighth of its CPU time. On an emulated processor the JVM that replaces compiled
   * code by better code ended by SIGSEGV (JDK 25.0.3, QEMU 7.2).
   */
  private String compilers() {
    return setup.caches().isPresent() || Patience.isLonger() ? ONE_COMPILER : "";
  }

  private String cache(String program, NodeAddress node) {
    return setup.caches().map(caches -> caches.options(program, node)).orElse("");
  }

  private String tls(NodeAddress node) {
    return """
    tls:
      ca: "%s"
      certificate: "%s"
      key: "%s"
    """
        .formatted(
            new Certificates(layout).authority(),
            layout.tls(node, "certificate.pem"),
            layout.tls(node, "key.pem"));
  }

  private Daemon daemon(String program, ClusterNode node, Path config, String health) {
    return new Daemon(
        program,
        node,
        layout.procs(node.address(), program),
        command(program, node.address(), config),
        health,
        layout.of(node.address(), "tls"),
        layout.log(node.address(), program + ".log"),
        setup.readyWithin());
  }

  private List<String> command(String program, NodeAddress node, Path config) {
    // Here no cgroup has a CPU weight, and the units' weight is ten times a job's: nice(2)'s
    // steps are a factor of 1.25 each. Where the kernel groups processes by session (sched(7),
    // "The autogroup feature") a nice value counts within the session alone, and the session has
    // one of its own.
    var argv =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "{ echo -10 >/proc/self/autogroup; } 2>/dev/null; exec nice -n -10 \"$@\"",
                "sh",
                "env"));
    argv.add("JAVA_HOME=" + setup.javaHome());
    argv.addAll(javaOptions(node));
    Optional.ofNullable(System.getenv(PRACTICE)).ifPresent(to -> argv.add(PRACTICE + "=" + to));
    if (setup.hasSteppedClocks()) {
      argv.addAll(new SteppedClocks(layout).environment(node));
    }
    argv.addAll(
        List.of(
            distribution.resolve("bin/rollcall").toString(),
            program,
            "--config",
            config.toString()));
    return argv;
  }
}
