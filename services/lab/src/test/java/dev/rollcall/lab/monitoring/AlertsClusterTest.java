package dev.rollcall.lab.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.adversary.RogueNode;
import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.fault.FullDisk;
import dev.rollcall.lab.fault.Hung;
import dev.rollcall.lab.fault.Killed;
import dev.rollcall.lab.fault.Packets;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.Limits;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the causes of alerts happen, and waits until a real Prometheus fires them. The rules are
 * the shipped ones with their thresholds; only time runs faster: {@code for} is 0 s, and each range
 * is a thirtieth.
 */
@Tag("cluster")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AlertsClusterTest {
  /** The alerts whose cause a method makes; it ends with {@link #fire()}. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Causes {
    String[] value();
  }

  /** Alerts that no method here causes, each with the reason. */
  static final Map<String, String> NOT_CAUSED =
      Map.ofEntries(
          Map.entry(
              "RollcallAddressesContested",
              "no node here reports another's address for so long: MovedAddressClusterTest moves one"),
          Map.entry(
              "RollcallAgentFileOld",
              "needs node_exporter, and this Prometheus asks the agents themselves"),
          Map.entry(
              "RollcallCallsLost",
              "the kernel pushes 256 calls of a user at once: its ring holds those of all users here"),
          Map.entry(
              "RollcallCallsUnpushed",
              "the gateways send the networks of all nodes here, which no key replaces"),
          Map.entry(
              "RollcallGatewayLimits",
              "a node may call 1,000 times a second, which a client beside this load does not reach"),
          Map.entry(
              "RollcallMemoryShort",
              "the budget of each client refuses before a process is short of memory"),
          Map.entry(
              "RollcallNodeCallsCut",
              "a node pushes 2,000 calls a second at most, and 16,384 have to be kept at once"),
          Map.entry(
              "RollcallRollFailures",
              "writes fail only until a split is detected: in one of two runs more than three did"),
          Map.entry(
              "RollcallSlurmNotUnderstood", "needs Slurm, and this cluster's jobs are Rollcall's"),
          Map.entry(
              "RollcallCertificateEnds",
              "its certificates are valid for two days, and the cluster is up for minutes"),
          Map.entry("RollcallNotScraped", "no target is taken from this Prometheus"));

  /** Some that stay, and then more than the agent's ring of 64 KiB holds. */
  private static final String OUTSIDE =
      "for i in $(seq 40); do sleep 20 & done >/dev/null 2>&1; seq 6000 | xargs -n 1 -P 2 true";

  private static final Duration DEADLINE = Patience.ofSeconds(90);
  private static final int FASTER = 30;
  private static final Pattern FOR = Pattern.compile("(?m)^( +for: ).*$");
  private static final Pattern RANGE = Pattern.compile("(\\[|offset )(\\d+)([mhd])(]?)");

  private static final long MEMORY = 256L << 20;

  private TestCluster cluster;
  private AgentLines agents;
  private Stage stage;
  private Prometheus prometheus;
  private Set<String> expected = Set.of();

  /** The alerts of all methods. */
  static Set<String> caused() {
    return Arrays.stream(AlertsClusterTest.class.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Causes.class))
        .flatMap(method -> Arrays.stream(method.getAnnotation(Causes.class).value()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String faster(String rules) {
    return RANGE.matcher(FOR.matcher(rules).replaceAll("$10s")).replaceAll(AlertsClusterTest::part);
  }

  private static String part(MatchResult range) {
    int unit =
        switch (range.group(3)) {
          case "m" -> 60;
          case "h" -> 3_600;
          default -> 86_400;
        };
    int seconds = Integer.parseInt(range.group(2)) * unit / FASTER;
    return range.group(1) + seconds + "s" + range.group(4);
  }

  @BeforeAll
  void raise(@TempDir Path folder) throws IOException {
    Path squeue = Files.writeString(folder.resolve("squeue"), "#!/bin/sh\nexit 1\n");
    assertTrue(squeue.toFile().setExecutable(true));
    cluster =
        TestCluster.start(
            ClusterSetup.of(SourceTree.DISTRIBUTION)
                .withShape(new ClusterShape(3, 2))
                .withV1On(NodeAddress.NODE3) // there bpf is off, and jobs have a memory limit
                .withMetricsByTls()
                .withAgentConfig("job_metrics: jobs")
                .withPamOptions("timeout_ms=2000")
                .withGatewayConfig("squeue: " + squeue, "squeue_seconds: 1"));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
    stage.awaitConnection();
    // Both are looked at only now and then.
    Files.writeString(cluster.directory().resolve("node1/audit_only.yaml"), "users: [carol]\n");
    Files.copy(
        cluster.certificateOf(NodeAddress.NODE1).resolve("key.pem"),
        cluster.certificateOf(NodeAddress.NODE2).resolve("key.pem"),
        StandardCopyOption.REPLACE_EXISTING);
    Path rules =
        Files.writeString(
            folder.resolve("faster.rules.yml"), faster(Files.readString(Shipped.RULES)));
    prometheus = Prometheus.of(cluster, folder, rules);
    prometheus.await("sum(up)", up -> up == 2 * cluster.nodes().size() + cluster.gates().size());
  }

  @AfterAll
  void takeDown() {
    prometheus.close();
    agents.close();
    cluster.close();
  }

  @BeforeEach
  void expect(TestInfo test) {
    expected = Set.of(test.getTestMethod().orElseThrow().getAnnotation(Causes.class).value());
  }

  /** Each method waited for its alerts. */
  @AfterEach
  void allFired() {
    assertEquals(Set.of(), expected);
  }

  /** Waits until each of the method's alerts has fired. */
  private void fire() {
    fireWhile(() -> {});
  }

  /** The same, with something that happens again and again meanwhile. */
  private void fireWhile(Runnable again) {
    await(prometheus::firing, again);
  }

  private void await(Supplier<Set<String>> alerts, Runnable again) {
    long start = System.nanoTime();
    var missing = new TreeSet<>(expected);
    Eventually.await(
        DEADLINE,
        () -> {
          again.run();
          missing.removeAll(alerts.get());
          return missing.isEmpty();
        },
        () -> missing + " do not fire; " + cluster.logs());
    System.out.printf(
        "[alerts] %s after %d ms%n", expected, (System.nanoTime() - start) / 1_000_000);
    expected = Set.of();
  }

  private ClusterNode login() {
    return cluster.node(NodeAddress.LOGIN);
  }

  private Daemon agent(NodeAddress node) {
    return cluster.agent(node);
  }

  private static String logins(int times, String host) {
    return "seq %d | xargs -P 6 -I{} ssh %s true 2>/dev/null; true".formatted(times, host);
  }

  @Test
  @Order(1)
  @Causes("RollcallLoginsDenied")
  void usersWithoutJobsLogIn() {
    fireWhile(() -> login().shell(User.BOB, logins(12, "node2")));
  }

  @Test
  @Order(2)
  @Causes("RollcallAdoptionsFail")
  void aJobTakesNoMoreCgroups() throws IOException {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1())) {
      Path limit =
          stage
              .node1()
              .cgroup()
              .resolve("rollcall.scope/job_%d/cgroup.max.descendants".formatted(jobs.oldest()));
      Files.writeString(limit, "0");
      fireWhile(() -> login().shell(User.ALICE, logins(6, "node1")));
      Files.writeString(limit, "max");
    }
  }

  /** The agent hangs, and reads what the kernel had for it when it goes on. */
  @Test
  @Order(3)
  @Causes({
    "RollcallLoginsUnanswered",
    "RollcallOutsideProcessesMissed",
    "RollcallProcessesOutsideJobs"
  })
  void anAgentHangsUnderLogins() {
    try (var _ = stage.begin(2, User.ALICE, stage.node1())) {
      try (var _ = Hung.of(agent(NodeAddress.NODE1))) {
        Running refused = login().start(User.ALICE, "sh", "-c", logins(6, "node1"));
        Running outside = stage.node1().start(User.ALICE, "sh", "-c", OUTSIDE);
        var _ = refused.await(DEADLINE);
        var _ = outside.await(DEADLINE);
      }
      fire();
    }
  }

  /** The agent of the calls' node hangs: it pushes none, and answers no question. */
  @Test
  @Order(4)
  @Causes({
    "RollcallCallersUndetermined",
    "RollcallGatewaySlow",
    "RollcallLoginsSlow",
    "RollcallCallersUnreachable"
  })
  void theCallersNodeHangs() {
    try (var _ = stage.begin(2, User.ALICE, stage.node2())) {
      try (var _ = Hung.of(agent(NodeAddress.LOGIN))) {
        fireWhile(() -> login().shell(User.ALICE, logins(12, "node2")));
      }
    }
  }

  @Test
  @Order(6)
  @Causes({"RollcallFileWaits", "RollcallFileLost"})
  void theDiskIsFull() {
    ClusterNode node = stage.node2();
    long job = 70_001;
    agents.begin(node, job, User.ALICE);
    var full = FullDisk.of(node);
    try {
      fireWhile(() -> login().shell(User.ALICE, logins(12, "node2")));
    } finally {
      full.close();
    }
    agents.end(node, job);
  }

  @Test
  @Order(7)
  @Causes("RollcallRemovalsStuck")
  void aMountIsLeftInAnEndedJobsDirectory() {
    ClusterNode node = stage.node1();
    long job = 70_002;
    agents.begin(node, job, User.ALICE);
    String directory =
        node.shell(User.ROOT, "ls -d /run/jobs/*/*%d* | head -1".formatted(job))
            .outOrThrow("the job's directory")
            .strip();
    node.shell(
            User.ROOT,
            "mkdir %1$s/left && touch %1$s/left/file && chattr +i %1$s/left/file"
                .formatted(directory))
        .outOrThrow("an immutable file");
    try {
      agents.end(node, job);
      fire();
    } finally {
      node.shell(User.ROOT, "chattr -R -i " + directory);
    }
  }

  /** Agents put limits back at each periodic check. */
  @Test
  @Order(8)
  @Causes("RollcallLimitsDrift")
  void anotherProgramChangesALimit() throws IOException {
    ClusterNode node = stage.node3();
    long first = 70_010;
    long last = 70_014;
    for (long job = first; job < last; job++) {
      agents.begin(node, limited(job));
    }
    Path memory = node.cgroup("memory").orElseThrow();
    List<Path> limits;
    try (var files = Files.walk(memory)) {
      limits =
          files
              .filter(file -> file.endsWith("memory.limit_in_bytes"))
              .filter(file -> file.toString().matches(".*/job_7001\\d/[^/]*"))
              .toList();
    }
    assertEquals(last - first, limits.size(), limits::toString);
    fireWhile(() -> {
      for (Path limit : limits) {
        write(limit, MEMORY / 2);
      }
    });
    for (long job = first; job < last; job++) {
      agents.end(node, job);
    }
  }

  private static void write(Path limit, long bytes) {
    try {
      Files.writeString(limit, Long.toString(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Only v1 limits memory here. */
  @Test
  @Order(8)
  @Causes("RollcallJobNearMemoryLimit")
  void aJobNeedsItsWholeMemory() {
    long job = 70_020;
    agents.begin(stage.node3(), limited(job));
    String keep = "{ head -c 240M /dev/zero; sleep 600; } | tail -c 250M";
    var _ = stage.startInJob(stage.node3(), job, User.ALICE, "sh", "-c", keep);
    fire();
    agents.end(stage.node3(), job);
  }

  private static BeginRequest limited(long job) {
    return BeginRequest.newBuilder()
        .setJobId(job)
        .setUid(User.ALICE.uid())
        .setGid(User.ALICE.uid())
        .setAllocation(Allocation.newBuilder().setLimits(Limits.newBuilder().setMemoryMax(MEMORY)))
        .build();
  }

  /** Its GPU is known by its number only, as no node here has one. */
  @Test
  @Order(9)
  @Causes("RollcallJobGpuUnused")
  void aJobHoldsAGpuAndHasNoProcess() {
    long job = 70_030;
    agents.begin(
        stage.node2(),
        limited(job).toBuilder()
            .setAllocation(Allocation.newBuilder().putEnvironment("CUDA_VISIBLE_DEVICES", "1"))
            .build());
    fire();
    agents.end(stage.node2(), job);
  }

  /** Its only process reads past the page cache. */
  @Test
  @Order(9)
  @Causes("RollcallJobWaitsForIo")
  void aJobReadsAndDoesNothingElse() {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1())) {
      String file = System.getProperty("java.home") + "/lib/modules";
      String read = "while :; do dd if=%s of=/dev/null bs=1M iflag=direct; done".formatted(file);
      var _ = stage.startInJob(stage.node1(), jobs.oldest(), User.ALICE, "sh", "-c", read);
      fire();
    }
  }

  /** Files are checked once a minute. */
  @Test
  @Order(10)
  @Causes({"RollcallCallsNotSeen", "RollcallAuditOnly", "RollcallCertificateNotTaken"})
  void nodesAreNotConfiguredWell() {
    await(prometheus::fired, () -> {});
  }

  @Test
  @Order(11)
  @Causes({
    "RollcallAgentDown",
    "RollcallGatewayRefuses",
    "RollcallNodesForeign",
    "RollcallSqueueFails"
  })
  void aNodeLosesItsAgentToAnAttacker() throws InterruptedException {
    ClusterNode node = stage.node3();
    Path tls = RogueNode.tls(stage, node);
    try (var _ = Killed.of(agent(NodeAddress.NODE3))) {
      long epoch = Instant.now().getEpochSecond();
      for (int i = 0; i < 6; i++) {
        try (var refused = RogueNode.at(stage, node, tls)) {
          refused.hello("other", node.name(), epoch, node.address().v4());
          var _ = refused.end();
        }
      }
      try (var rogue = RogueNode.at(stage, node, tls)) {
        rogue.hello("demo", node.name(), epoch, node.address().v4()).welcomed();
        rogue.announce("demo", "node1", foreign(), 7, User.BOB.uid(), epoch, 1);
        var job = new AtomicLong(80_000);
        fireWhile(() -> rogue.asksFor(job.incrementAndGet()));
      }
    }
  }

  private static Connection foreign() {
    return Connection.tcp(
        Endpoint.parse(NodeAddress.NODE1.v4() + ":45001"),
        Endpoint.parse(NodeAddress.NODE2.v4() + ":22"));
  }

  @Test
  @Order(12)
  @Causes("RollcallGridSplit")
  void theClusterOfGatewaysSplits() {
    try (var _ =
        Packets.betweenMembers(
            List.of(cluster.gates().getFirst()), List.of(cluster.gates().getLast()))) {
      fire();
    }
  }

  @Test
  @Order(13)
  @Causes({"RollcallGatewayDown", "RollcallWithoutGateway"})
  void gatewaysAreKilled() {
    cluster.gateways().forEach(Daemon::kill);
    fire();
  }

  @Test
  @Order(14)
  @Causes("RollcallManyAgentsDown")
  void twoAgentsAreKilled() {
    agent(NodeAddress.NODE1).kill();
    agent(NodeAddress.NODE2).kill();
    fire();
  }
}
