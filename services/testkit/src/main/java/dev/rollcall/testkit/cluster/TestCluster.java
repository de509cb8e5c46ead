package dev.rollcall.testkit.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * node1, node2, node3, login and gate, raised on this machine. Everything it made is gone after
 * {@link #close()}, which also runs when the process is told to end; what a killed process left is
 * removed by the next start.
 */
public final class TestCluster implements AutoCloseable {
  private final ClusterLayout layout;
  private final Ledger ledger;
  private final Map<NodeAddress, ClusterNode> nodes = new LinkedHashMap<>();
  private final Thread atExit = new Thread(this::remove, "rollcall-cluster-removal");
  private final long startedNanos = System.nanoTime();

  private TestCluster(ClusterLayout layout, Ledger ledger) {
    this.layout = layout;
    this.ledger = ledger;
  }

  /** Raises a cluster and returns when every part of it is ready. */
  public static TestCluster start(ClusterSetup setup) {
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new ClusterException("a cluster of namespaces needs root");
    }
    var ledger = new Ledger();
    ledger.sweep();
    var cluster = new TestCluster(ClusterLayout.fresh(), ledger);
    try {
      cluster.raise(setup);
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e instanceof ClusterException own
          ? own
          : new ClusterException("cannot raise the cluster", e);
    }
  }

  private void raise(ClusterSetup setup) throws IOException {
    ledger.enter(layout.id(), layout.tree(), layout.files());
    Runtime.getRuntime().addShutdownHook(atExit);
    Files.createDirectories(layout.files());
    script("node.sh");
    script("enter.sh");
    Parallel.run(
        List.of(
            new UserFiles(layout)::write,
            new SshFiles(layout, setup)::write,
            new Certificates(layout)::write));
    Bridge bridge = Bridge.raise(layout);
    Parallel.run(
        NodeAddress.ALL.stream().<Parallel.Work>map(node -> () -> raise(bridge, node)).toList());
  }

  private void raise(Bridge bridge, NodeAddress address) {
    ClusterNode node = ClusterNode.raise(layout, bridge, address);
    synchronized (nodes) {
      nodes.put(address, node);
    }
  }

  private void script(String name) throws IOException {
    try (InputStream script = TestCluster.class.getResourceAsStream(name)) {
      if (script == null) {
        throw new ClusterException("resource " + name + " is missing");
      }
      Files.copy(script, layout.script(name));
    }
  }

  public String id() {
    return layout.id();
  }

  /** Where the logs are while the cluster is up. */
  public Path directory() {
    return layout.files();
  }

  public ClusterNode node(NodeAddress address) {
    ClusterNode node = nodes.get(address);
    if (node == null) {
      throw new IllegalArgumentException("no node " + address.name());
    }
    return node;
  }

  /** How long ago the start began. */
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // the machine's end is near: the hook does it
    }
    remove();
  }

  private void remove() {
    ledger.remove(layout.id(), layout.tree(), layout.files());
  }
}
