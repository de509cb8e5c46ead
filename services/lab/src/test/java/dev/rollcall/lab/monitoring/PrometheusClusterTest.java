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
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.Storm;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.Limits;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real Prometheus has of a cluster that it scrapes by TLS, after real logins. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrometheusClusterTest {
  private static final Duration DEADLINE = Patience.ofSeconds(120);
  private static final int SESSIONS = 6;

  /** All that stand between a name and a value, besides what Prometheus itself adds. */
  private static final Set<String> BOUNDED =
      Set.of(
          "__name__",
          "cluster",
          "instance",
          "job",
          "le",
          "answer",
          "action",
          "by",
          "event",
          "kind",
          "mode",
          "outcome",
          "place",
          "reason",
          "result",
          "sent",
          "taken",
          "pushed",
          "java",
          "map",
          "state",
          "use",
          "version",
          "way",
          "would");

  /** A series in an expression over a range. */
  private static final Pattern RANGED =
      Pattern.compile("((?:\\w+:)?rollcall_\\w+(?:\\{[^}]*})?)\\[");

  private static final String OF_NODES_THAT_ARE_DOWN = "node:rollcall_agent_down:5m";

  /** They exist only with Slurm, with an audit file of gateways, or for each job. */
  private static final List<String> OF_OTHER_SETTINGS =
      List.of("rollcall_slurm_", "rollcall_gateway_audit_", "rollcall_job_", "rollcall_step_");

  /** All but the pages of jobs. */
  private static final String OF_PROCESSES = "{__name__=~\"rollcall_.*\", page=\"\"}";

  private TestCluster cluster;
  private AgentLines agents;
  private Stage stage;
  private Prometheus prometheus;

  @BeforeAll
  void raise(@TempDir Path folder) throws IOException {
    cluster =
        TestCluster.start(
            ClusterSetup.of(SourceTree.DISTRIBUTION)
                .withShape(new ClusterShape(3, 1))
                .withV1On(NodeAddress.NODE3) // there jobs have limits, and no pressure
                .withMetricsByTls()
                .withAgentConfig("job_metrics: sessions", "watched_services: {ssh: 22}"));
    agents = new AgentLines();
    stage = Stage.of(cluster, agents);
    stage.awaitConnection();
    prometheus = Prometheus.of(cluster, folder, Shipped.RULES);
    prometheus.await("sum(up)", up -> up == 2 * cluster.nodes().size() + 1);
  }

  @AfterAll
  void takeDown() {
    prometheus.close();
    agents.close();
    cluster.close();
  }

  private double now(String expression) {
    return prometheus.value(expression).orElseThrow(() -> new AssertionError(expression));
  }

  @Test
  void loginsAreCountedWhereTheyArriveAndByWhatBecameOfThem() {
    String adopted = "rollcall_adopt_sessions_total{instance=\"node2\", outcome=\"adopted\"}";
    String timed = "rollcall_adopt_sessions_time_seconds_count{instance=\"node2\"}";
    String denied = "rollcall_adopt_sessions_total{instance=\"node2\", outcome=\"denied\"}";
    double adoptedBefore = now(adopted);
    double timedBefore = now(timed);
    double deniedBefore = now(denied);
    double foundBefore = now("sum(rollcall_login_callers_lookups_total)");
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      assertEquals(
          Map.of("job " + jobs.oldest(), (long) SESSIONS),
          Storm.from(stage, User.ALICE, jobs.oldest(), SESSIONS).arrivals(DEADLINE));
      prometheus.await(
          "sum(rollcall_job_calls_total{job=\"%d\", service=\"ssh\"})".formatted(jobs.oldest()),
          calls -> calls >= SESSIONS);
      Result bobs = cluster.node(NodeAddress.LOGIN).exec(User.BOB, "ssh", "node2", "true");
      assertFalse(bobs.ok(), "bob has no job there");
      prometheus.await(adopted, count -> count == adoptedBefore + SESSIONS);
      prometheus.await(denied, count -> count > deniedBefore);
      prometheus.await(timed, count -> count >= timedBefore + SESSIONS + 1);
      prometheus.await("rollcall_jobs{instance=\"node2\", state=\"open\"}", open -> open == 2);
      prometheus.await(
          "sum(rollcall_login_callers_lookups_total)", count -> count >= foundBefore + SESSIONS);
    }
  }

  /** A gauge whose object nobody holds reads NaN, and no alert on it fires. */
  @Test
  void everyFigureIsANumber() {
    String all = "{__name__=~\"rollcall_.+\"}";
    assertTrue(now("count(" + all + ")") > 100);
    assertEquals(0, now("count(" + all + ") - count(" + all + " >= -Inf)"));
  }

  /** By the id that the session itself has, and that `rollcall why` takes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rollcall_adopt_sessions_time_seconds_bucket{instance=\"node2\"}",
        "rollcall_adopt_sessions_total{instance=\"node2\", outcome=\"adopted\"}"
      })
  void aLoginIsFoundByItsDecisionBehindTheFigures(String series) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      Result visit =
          cluster
              .node(NodeAddress.LOGIN)
              .exec(User.ALICE, "ssh", "node2", "printenv SLURM_JOB_ID ROLLCALL_ADOPTION");
      List<String> said = visit.out().lines().toList();
      assertEquals(String.valueOf(jobs.oldest()), said.getFirst(), visit.err());
      String decision = said.getLast();
      Eventually.await(
          Prometheus.SOON,
          () ->
              prometheus.exemplars(series).stream()
                  .anyMatch(one ->
                      one.getJsonObject("labels").equals(JsonObject.of("decision_id", decision))),
          () -> decision + " is not among " + prometheus.exemplars(series));
    }
  }

  @Test
  void theGatewayHasEveryNode() {
    prometheus.await("rollcall_gateway_nodes", nodes -> nodes == cluster.nodes().size());
    prometheus.await("sum(rollcall_stream_connected)", on -> on == cluster.nodes().size());
    assertEquals(1, now("rollcall_gateway_grid_members"));
    prometheus.await(
        "rollcall_gateway_roll_nodes{state=\"connected\"}",
        nodes -> nodes == cluster.nodes().size());
    assertTrue(now("min(rollcall_tls_certificate_not_after_timestamp_seconds) - time()") > 0);
  }

  /** A job on two nodes, which has limits on the one whose kernel measures their use. */
  private OpenJobs withLimits() {
    var jobs = stage.begin(1, User.CAROL, stage.node1());
    var limits = Limits.newBuilder().setMemoryMax(256L << 20).setCpus("0");
    agents.begin(
        stage.node3(),
        BeginRequest.newBuilder()
            .setJobId(jobs.oldest())
            .setUid(User.CAROL.uid())
            .setGid(User.CAROL.uid())
            .setAllocation(
                Allocation.newBuilder()
                    .setLimits(limits)
                    .putEnvironment("CUDA_VISIBLE_DEVICES", "1"))
            .build());
    return new OpenJobs(jobs.on(), jobs.ids(), List.of(stage.node1(), stage.node3()));
  }

  @Test
  void whatRulesRecordIsThere() throws IOException {
    try (var _ = withLimits()) {
      for (Map<String, Object> rule : Shipped.rules()) {
        if (rule.get("record") instanceof String name && !name.equals(OF_NODES_THAT_ARE_DOWN)) {
          prometheus.await("count(" + name + ")", series -> series >= 1);
        }
      }
    }
    assertEquals(
        Set.of(),
        prometheus.firing(),
        () -> "alerts of a cluster that is well: " + prometheus.api("alerts").encodePrettily());
  }

  /** increase() does not count the first event of a series that begins with it. */
  @Test
  void countersOfAlertsAndDashboardsAreThereBeforeTheirFirstEvent() throws IOException {
    var expressions = new ArrayList<String>();
    for (Map<String, Object> rule : Shipped.rules()) {
      expressions.add(String.valueOf(rule.get("expr")));
    }
    for (JsonObject dashboard : Shipped.dashboards().values()) {
      expressions.addAll(new Panels(dashboard).expressions());
    }
    var missing = new TreeSet<String>();
    for (String expression : expressions) {
      RANGED
          .matcher(expression)
          .results()
          .map(ranged -> ranged.group(1))
          .filter(series -> OF_OTHER_SETTINGS.stream().noneMatch(series::startsWith))
          .filter(series -> prometheus.query(series).isEmpty())
          .forEach(missing::add);
    }
    assertEquals(Set.of(), missing);
  }

  /** With figures, if it is about jobs. */
  @Test
  void everyExpressionOfADashboardIsAnswered() throws IOException {
    try (var jobs = withLimits()) {
      String read = "dd if=%s/lib/modules of=/dev/null bs=1M count=9 iflag=direct; sleep 600";
      String java = System.getProperty("java.home");
      var _ =
          stage.startInJob(
              stage.node3(), jobs.oldest(), User.CAROL, "sh", "-c", read.formatted(java));
      for (JsonObject dashboard : Shipped.dashboards().values()) {
        for (String expression : new Panels(dashboard).expressions()) {
          if (prometheus.query(expression).isEmpty()
              && expression.matches(".*rollcall_(job|step)_.*")) {
            prometheus.await("count(" + expression + ")", series -> series >= 1);
          }
        }
      }
    }
  }

  @Test
  void everyMetricIsDocumentedAndHasTypeAndHelp() throws IOException {
    Set<String> documented = Shipped.documented();
    JsonObject metadata = prometheus.api("metadata").getJsonObject("data");
    var wrong = new TreeMap<String, String>();
    var seen = new TreeSet<String>();
    for (Object name :
        prometheus.api("label/__name__/values", "match[]=" + OF_PROCESSES).getJsonArray("data")) {
      String metric = String.valueOf(name);
      if (metric.startsWith("rollcall_")) {
        seen.add(metric);
        String family = metric.replaceFirst("_(total|count|sum|bucket|info)$", "");
        var known = metadata.getJsonArray(metric, metadata.getJsonArray(family));
        if (!documented.contains(metric)) {
          wrong.put(metric, "is not on docs/metrics.md");
        } else if (known == null || known.getJsonObject(0).getString("help").isBlank()) {
          wrong.put(metric, "has no help");
        } else if (known.getJsonObject(0).getString("type").equals("unknown")) {
          wrong.put(metric, "has no type");
        }
      }
    }
    assertEquals(Map.of(), wrong);
    assertTrue(seen.size() > 50, seen::toString);
  }

  @Test
  void noLabelIsOfAUserAJobAPidOrAnAddress() {
    for (Object name : prometheus.api("labels", "match[]=" + OF_PROCESSES).getJsonArray("data")) {
      assertTrue(BOUNDED.contains(String.valueOf(name)), () -> "what is the label " + name);
    }
  }

  @Test
  void promtoolHasNothingToSay() {
    for (String where :
        new String[] {NodeAddress.NODE2.v4() + ":7451", NodeAddress.GATE.v4() + ":7453"}) {
      promtool(curl(cluster.administrator(), where));
    }
    promtool(curl(cluster.administrator(), NodeAddress.NODE2.v4() + ":7451") + "/jobs");
  }

  private void promtool(String scrape) {
    ClusterNode from = cluster.node(NodeAddress.GATE);
    assertTrue(from.shell(User.ROOT, scrape).out().contains("# HELP rollcall_"), scrape);
    Result checked = from.shell(User.ROOT, scrape + " | promtool check metrics");
    assertEquals("", checked.out() + checked.err(), scrape);
    assertTrue(checked.ok(), scrape);
  }

  @Test
  void aJobIsASeriesOfEachNodeWithItsFacts() {
    String job;
    String cpu;
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      job = "{job=\"%d\"".formatted(jobs.oldest());
      cpu = "sum(rollcall_job_cpu_seconds_total%s, instance=\"node2\"})".formatted(job);
      String spin = "timeout 1 sh -c 'while :; do :; done'; sleep 3";
      cluster.node(NodeAddress.LOGIN).exec(User.ALICE, "ssh", "node2", spin);
      prometheus.await("count(rollcall_job_info" + job + ", user=\"alice\"})", at -> at == 2);
      prometheus.await(cpu, seconds -> seconds > 0.02);
      prometheus.await(
          "count(rollcall_session_begin_timestamp_seconds" + job + ", step=\"extern\"})",
          sessions -> sessions >= 1);
      prometheus.await(
          """
          sum by (user) (rate(rollcall_job_cpu_seconds_total%s}[1m])
            * on (job, instance) group_left (user) rollcall_job_info)\
          """
              .formatted(job),
          share -> share > 0);
    }
    double ended = now(cpu);
    prometheus.await("count(rollcall_job_end_timestamp_seconds" + job + "})", at -> at == 2);
    assertTrue(now(cpu) >= ended, "its last account is no less");
    assertTrue(prometheus.query("rollcall_job_threads" + job + "}").isEmpty());
  }

  @Test
  void aJobThatIsShorterThanAScrapeIsSeen() {
    long id;
    try (var jobs = stage.begin(1, User.BOB, stage.node1())) {
      id = jobs.oldest();
    }
    prometheus.await(
        "count(rollcall_job_end_timestamp_seconds{job=\"%d\"})".formatted(id), at -> at == 1);
    assertEquals(1, now("count(rollcall_job_info{job=\"%d\", user=\"bob\"})".formatted(id)));
  }

  private String curl(Path certificate, String where) {
    return "curl -s -m 10 --cacert %1$s --cert %2$s/certificate.pem --key %2$s/key.pem https://%3$s/metrics"
        .formatted(cluster.authority(), certificate, where);
  }

  @Test
  void nobodyElseReadsThem() {
    String where = NodeAddress.NODE2.v4() + ":7451";
    ClusterNode from = cluster.node(NodeAddress.GATE);
    String without =
        "curl -s -m 10 --cacert %s https://%s/metrics".formatted(cluster.authority(), where);
    assertEquals("", from.shell(User.ROOT, without).out());
    assertEquals(
        "metrics are for administrators and monitors of cluster 'demo', and not for 'node1'\n",
        from.shell(User.ROOT, curl(cluster.certificateOf(NodeAddress.NODE1), where)).out());
    assertFalse(
        from.shell(User.ROOT, "curl -s -m 10 http://" + where + "/metrics")
            .out()
            .contains("rollcall_"));
  }
}
