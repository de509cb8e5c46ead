package dev.rollcall.lab.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.testkit.trace.CollectorProcess;
import dev.rollcall.testkit.trace.ReceivedSpan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A real ssh login as collectors have it that are on its nodes and beside the gateway. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TracesClusterTest {
  /** Of two agents and a gateway, which send them each in its own time. */
  private static final Set<String> SPANS =
      Set.of(
          "login",
          "decide",
          "facts",
          "ask gateway",
          "identify",
          "ask node",
          "look",
          "move",
          "reply");

  private static final Duration SOON = Patience.ofSeconds(60);
  private static final int PORT = 4318;
  private static final String TRACES = "traces: http://127.0.0.1:" + PORT;

  private final List<Running> collectors = new ArrayList<>();
  private Path folder;
  private TestCluster cluster;
  private AgentLines agents;
  private Stage stage;

  @BeforeAll
  void raise(@TempDir Path kept) {
    folder = kept;
    cluster =
        TestCluster.start(
            ClusterSetup.of(SourceTree.DISTRIBUTION)
                // ssh's port is not announced: the gateway and the source are asked.
                .withShape(new ClusterShape(2, 1))
                .withAgentConfig("announced_ports: [2222]", TRACES)
                .withGatewayConfig(TRACES));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
    for (ClusterNode node : List.of(stage.node1(), stage.node2(), cluster.node(NodeAddress.GATE))) {
      Running collector =
          node.start(User.ROOT, CollectorProcess.command(PORT, folder).toArray(String[]::new));
      collectors.add(collector);
      collector.awaitOutput("collects", SOON);
    }
    stage.awaitConnection();
  }

  @AfterAll
  void takeDown() {
    collectors.forEach(Running::kill);
    agents.close();
    cluster.close();
  }

  private static String where(ReceivedSpan span) {
    return span.process().getOrDefault("service.name", "").replace("rollcall-", "")
        + span.process().getOrDefault("host.name", "").replaceFirst("^(?=.)", " of ");
  }

  private Result login(long job) {
    return stage
        .startInJob(
            stage.node1(),
            job,
            User.ALICE,
            "ssh",
            "node2",
            "printenv SLURM_JOB_ID ROLLCALL_ADOPTION")
        .await(SOON);
  }

  @Test
  void aLoginIsOneTraceOverTheNodesAndTheGateway() {
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      Result ssh = login(jobs.oldest());
      // On a busy machine the answer may miss the login's deadline.
      for (int again = 0; again < 2 && ssh.out().isEmpty(); again++) {
        ssh = login(jobs.oldest());
      }
      List<String> said = ssh.out().lines().toList();
      assertFalse(said.isEmpty(), ssh.err());
      assertEquals(List.of(String.valueOf(jobs.oldest())), said.subList(0, 1), ssh.err());
      String decision = said.getLast();

      Eventually.await(
          SOON,
          () -> names(decision).keySet().containsAll(SPANS),
          () -> CollectorProcess.spans(folder).toString());
      Map<String, List<ReceivedSpan>> spans = names(decision);
      assertEquals(SPANS, spans.keySet());
      Map<String, String> parents = new TreeMap<>();
      Map<String, String> places = new TreeMap<>();
      spans.forEach((name, same) -> {
        ReceivedSpan span = same.getFirst();
        places.put(name, where(span));
        parents.put(
            name,
            spans.values().stream()
                .flatMap(List::stream)
                .filter(other -> other.id().equals(span.parent()))
                .map(ReceivedSpan::name)
                .findFirst()
                .orElse("-"));
      });
      assertEquals("-", parents.get("login"));
      assertEquals("login", parents.get("move"));
      assertEquals("login", parents.get("facts"));
      assertEquals("facts", parents.get("ask gateway"));
      assertEquals("ask gateway", parents.get("identify"));
      assertEquals("identify", parents.get("ask node"));
      assertEquals("ask node", parents.get("look"));
      assertEquals("agent of node2", places.get("login"));
      assertEquals("gateway", places.get("identify"));
      assertEquals("agent of node1", places.get("look"));
      assertTrue(
          spans.values().stream()
              .flatMap(List::stream)
              .noneMatch(span -> span.toString().contains("alice")),
          spans::toString);
    }
  }

  /** The trace of a decision, by the names of its spans. */
  private Map<String, List<ReceivedSpan>> names(String decision) {
    List<ReceivedSpan> all = CollectorProcess.spans(folder);
    return all.stream()
        .filter(span ->
            span.name().equals("login")
                && decision.equals(span.attributes().get("rollcall.decision_id")))
        .findFirst()
        .map(login ->
            all.stream()
                .filter(span -> span.trace().equals(login.trace()))
                .collect(Collectors.groupingBy(ReceivedSpan::name)))
        .orElseGet(Map::of);
  }
}
