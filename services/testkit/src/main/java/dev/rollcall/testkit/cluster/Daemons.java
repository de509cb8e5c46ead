package dev.rollcall.testkit.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the configuration of a node's Rollcall processes and makes them, not yet started. */
final class Daemons {
  static final String CLUSTER = "demo";
  static final int GATEWAY_PORT = 7450;

  /**
   * On an emulated processor the JVM that replaces compiled code by better code ended by SIGSEGV
   * (JDK 25.0.3, QEMU 7.2): there it has one compiler.
   */
  private static final String GATEWAY_OPTIONS =
      "ROLLCALL_GATEWAY_OPTS=" + (Patience.isLonger() ? "-XX:TieredStopAtLevel=1" : "");

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
        node: "%s"
        gateways: ["%s:%d"]
        %sstate_directory: "%s"
        usage_file: "%s"
        cgroup_root: "%s"
        bpf: "%s"
        %s
        """
            .formatted(
                CLUSTER,
                node.name(),
                NodeAddress.GATE.v4(),
                GATEWAY_PORT,
                tls(node.address()),
                layout.of(node.address(), "state"),
                layout.of(node.address(), "usage.jsonl"),
                cgroupRoot(node.address()),
                // In cgroup2 it would be attached to the whole machine's root.
                setup.onV1().contains(node.address()) ? "off" : "auto",
                agentConfig()));
    return daemon("agent", node, config, "http://127.0.0.1:7451/health/ready");
  }

  /** Whatever is installed on this machine: without a batch system the jobs are the agents'. */
  private String agentConfig() throws IOException {
    String more = String.join("\n", setup.agentConfig());
    return setup.batchSystem().isPresent()
        ? more
        : "provider: native\ncontainer_conf: \"" + containerConf() + "\"\n" + more;
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
            .orElseThrow(() -> new ClusterException("no v1 freezer hierarchy is mounted"))
        : layout.cgroup(node);
  }

  Daemon gateway(ClusterNode node) throws IOException {
    Path config = layout.of(node.address(), "gateway.yaml");
    Files.writeString(
        config,
        """
        cluster: "%s"
        listen: "%s:%d"
        %s\
        """
            .formatted(CLUSTER, node.address().v4(), GATEWAY_PORT, tls(node.address())));
    return daemon("gateway", node, config, "http://127.0.0.1:7453/health/ready");
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
        // Here no cgroup has a CPU weight, and the units' weight is ten times a job's: nice(2)'s
        // steps are a factor of 1.25 each.
        List.of(
            "nice",
            "-n",
            "-10",
            "env",
            "JAVA_HOME=" + setup.javaHome(),
            GATEWAY_OPTIONS,
            distribution.resolve("bin/rollcall").toString(),
            program,
            "--config",
            config.toString()),
        health,
        layout.log(node.address(), program + ".log"),
        setup.readyWithin());
  }
}
