package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;

/**
 * A login node, gateways and compute nodes, raised on this machine: by default node1, node2, node3
 * and one gateway, gate. Everything it made is gone after {@link #close()}, which also runs when
 * the process is told to end; what a killed process left is removed by the next start.
 */
public final class TestCluster implements AutoCloseable {
  private static final int AT_A_TIME = 5;
  private static final Duration RAISE_ENDS_WITHIN = Duration.ofSeconds(10);

  private final ClusterLayout layout;
  private final Ledger ledger;
  private final Map<NodeAddress, ClusterNode> nodes = new LinkedHashMap<>();
  private final Map<NodeAddress, Daemon> daemons = new LinkedHashMap<>();
  private final Thread atExit = new Thread(this::removeAtExit, "rollcall-cluster-removal");
  private final CountDownLatch raised = new CountDownLatch(1);
  private final long startedNanos = System.nanoTime();

  private TestCluster(ClusterLayout layout, Ledger ledger) {
    this.layout = layout;
    this.ledger = ledger;
  }

  /** Raises a cluster and returns when every part of it is ready. */
  public static TestCluster start(ClusterSetup setup) {
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new RigException("a cluster of namespaces needs root");
    }
    Tools.check();
    HostCheck.check();
    var ledger = new Ledger();
    ledger.sweep();
    ClusterSetup cached = setup.withCachesOfItsDistribution();
    var cluster = new TestCluster(ClusterLayout.fresh(setup.shape()), ledger);
    try {
      cluster.raiseOnce(cached);
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e instanceof RigException own ? own : new RigException("cannot raise the cluster", e);
    }
  }

  private void raiseOnce(ClusterSetup setup) throws IOException {
    try {
      raise(setup);
    } finally {
      raised.countDown();
    }
  }

  private void raise(ClusterSetup setup) throws IOException {
    Runtime.getRuntime().addShutdownHook(atExit);
    ledger.enter(layout.id(), layout.tree(), layout.files());
    Files.createDirectories(layout.files());
    script("node.sh");
    script("router.sh");
    script("enter.sh");
    if (setup.hasSteppedClocks()) {
      script("clock_step.c");
      new SteppedClocks(layout).write();
    }
    Parallel.run(
        List.of(
            new UserFiles(layout)::write,
            new SshFiles(layout, setup)::write,
            new Certificates(layout)::write));
    setup.steps().accept("creating %d nodes".formatted(layout.shape().withOutside().size()));
    Networks networks = Networks.raise(layout);
    for (List<NodeAddress> some : inParts(layout.shape().withOutside())) {
      Parallel.run(
          some.stream().<Parallel.Work>map(node -> () -> raise(networks, node, setup)).toList());
    }
    if (setup.batchSystem().isPresent()) {
      setup.steps().accept("starting the batch system");
      setup.batchSystem().get().raise(this);
    }
    if (setup.distribution().isPresent()) {
      startRollcall(new Daemons(layout, setup, setup.distribution().get()), setup.steps());
    }
  }

  private void startRollcall(Daemons make, Consumer<String> steps) throws IOException {
    for (ClusterNode node : all()) {
      boolean gate = layout.shape().gates().contains(node.address());
      daemons.put(node.address(), gate ? make.gateway(node) : make.agent(node));
    }
    // The gateways first: an agent that finds none asks again after a while, with jitter.
    List<Daemon> gateways = gateways();
    for (int i = 0; i < gateways.size(); i++) {
      steps.accept("starting gateway %d of %d".formatted(i + 1, gateways.size()));
      gateways.get(i).start();
      gateways.get(i).awaitReady();
    }
    steps.accept("starting %d agents".formatted(layout.shape().withAgent().size()));
    for (List<NodeAddress> some : inParts(layout.shape().withAgent())) {
      startAgents(some.stream().map(this::agent).toList());
    }
  }

  private static void startAgents(List<Daemon> agents) {
    for (Daemon agent : agents) {
      agent.start();
      if (Patience.isLonger()) {
        agent.awaitReady();
      }
    }
    Parallel.run(agents.stream().<Parallel.Work>map(one -> one::awaitConnected).toList());
  }

  /** What starts at once takes a processor from each other: a few at a time are sooner done. */
  private static List<List<NodeAddress>> inParts(List<NodeAddress> all) {
    return all.stream().gather(Gatherers.windowFixed(AT_A_TIME)).toList();
  }

  private void raise(Networks networks, NodeAddress address, ClusterSetup setup)
      throws IOException {
    ClusterNode node = ClusterNode.raise(layout, networks, address, setup);
    synchronized (nodes) {
      nodes.put(address, node);
    }
  }

  private void script(String name) throws IOException {
    try (InputStream script = TestCluster.class.getResourceAsStream(name)) {
      if (script == null) {
        throw new RigException("resource " + name + " is missing");
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

  /** Every node, in no order that means something. */
  public List<ClusterNode> all() {
    return nodes(layout.shape().all());
  }

  /** The nodes that have an agent, login first. */
  public List<ClusterNode> nodes() {
    return nodes(layout.shape().withAgent());
  }

  /** The nodes that run jobs, node1 first. */
  public List<ClusterNode> compute() {
    return nodes(layout.shape().compute());
  }

  /** Where the gateways run, the first of them first. */
  public List<ClusterNode> gates() {
    return nodes(layout.shape().gates());
  }

  private List<ClusterNode> nodes(List<NodeAddress> addresses) {
    return addresses.stream().map(this::node).toList();
  }

  /**
   * Sets how far the wall clock of a node's agent or gateway is from the machine's; the setup must
   * be one with stepped clocks.
   */
  public void stepClock(NodeAddress node, Duration by) {
    try {
      new SteppedClocks(layout).step(node, by);
    } catch (IOException e) {
      throw new RigException("cannot step the clock of " + node.name(), e);
    }
  }

  public ClusterShape shape() {
    return layout.shape();
  }

  public Daemon agent(NodeAddress address) {
    return daemon(address);
  }

  /** The agents, login's first. */
  public List<Daemon> agents() {
    return layout.shape().withAgent().stream().map(this::daemon).toList();
  }

  /** The only gateway, or the first of several. */
  public Daemon gateway() {
    return daemon(NodeAddress.GATE);
  }

  public List<Daemon> gateways() {
    return layout.shape().gates().stream().map(this::daemon).toList();
  }

  /** What runs of Rollcall on a node: an agent or a gateway. */
  public Daemon daemon(NodeAddress address) {
    Daemon daemon = daemons.get(address);
    if (daemon == null) {
      throw new IllegalArgumentException("nothing of Rollcall runs on " + address.name());
    }
    return daemon;
  }

  /** Who signs all certificates. */
  public Path authority() {
    return new Certificates(layout).authority();
  }

  /** The directory with certificate.pem and key.pem of an administrator. */
  public Path administrator() {
    return layout.files().resolve("administrator");
  }

  /** The directory with those of a node or gateway. */
  public Path certificateOf(NodeAddress node) {
    return layout.of(node, "tls");
  }

  /** Asks the first gateway, with the certificate of an administrator. */
  public Result asAdministrator(String... words) {
    return asAdministrator(node(NodeAddress.GATE), words);
  }

  /** Asks this gateway, with the certificate of an administrator. */
  public Result asAdministrator(ClusterNode gate, String... words) {
    Path own = administrator();
    var argv = new ArrayList<>(List.of(words));
    argv.addAll(
        List.of(
            "--gateway",
            endpoint(gate),
            "--ca",
            authority().toString(),
            "--certificate",
            own.resolve("certificate.pem").toString(),
            "--key",
            own.resolve("key.pem").toString()));
    return node(NodeAddress.LOGIN).rollcall(argv.toArray(String[]::new));
  }

  /** Where the others reach a gateway: its address and port. */
  public String endpoint(ClusterNode gate) {
    return layout.shape().topology().endpoint(gate.address(), Daemons.GATEWAY_PORT);
  }

  /** The gateway.yaml of a gateway, or the agent.yaml of a node. */
  public Path configurationOf(NodeAddress node) {
    boolean gate = layout.shape().gates().contains(node);
    return layout.of(node, gate ? "gateway.yaml" : "agent.yaml");
  }

  /**
   * Makes a certificate of a node by this cluster's authority, but for another cluster.
   *
   * @return the directory with certificate.pem and key.pem
   */
  public Path certificateIn(String otherCluster, NodeAddress node) {
    try {
      return new Certificates(layout).inCluster(otherCluster, node);
    } catch (IOException e) {
      throw new RigException("cannot make a certificate of " + node.name(), e);
    }
  }

  /** The end of every log of Rollcall, for a failure. */
  public String logs() {
    return daemons.values().stream().map(Daemon::log).collect(Collectors.joining("\n"));
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

  /** Ctrl-C may come while the cluster is being raised: what is made after a removal stays. */
  private void removeAtExit() {
    try {
      layout.tree().destroy(); // makes a raise that is under way fail
    } catch (RigException e) {
      // It made a cgroup in between, and is soon over: the removal below is the one that counts.
    }
    try {
      if (!raised.await(RAISE_ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
        System.err.println("the cluster is still being raised: the next start removes the rest");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    remove();
  }

  private void remove() {
    ledger.remove(layout.id(), layout.tree(), layout.files());
  }
}
