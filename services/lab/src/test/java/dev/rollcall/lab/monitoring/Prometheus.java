package dev.rollcall.lab.monitoring;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;

/** Debian's Prometheus, in the network of a cluster's gateway, with the rules that are shipped. */
final class Prometheus implements AutoCloseable {
  static final Duration SOON = Patience.ofSeconds(60);
  private static final Duration LATELY = Duration.ofMinutes(5);
  private static final String URL = "http://127.0.0.1:9090";

  private final ClusterNode node;
  private final Running process;

  private Prometheus(ClusterNode node, Running process) {
    this.node = node;
    this.process = process;
  }

  /**
   * Starts it, and waits until it is ready. It scrapes the pages of jobs as well, which the label
   * {@code page} tells from the others.
   *
   * @param folder for its files
   */
  static Prometheus of(TestCluster cluster, Path folder, Path rules) throws IOException {
    String jobs =
        job(cluster, "rollcall-jobs", cluster.nodes(), 7451)
            .replaceAll("(instance: [a-z0-9]+)", "$1, page: jobs");
    String more = "    metrics_path: /metrics/jobs\n    honor_labels: true\n";
    String settings = config(cluster, rules) + jobs + more;
    ClusterNode node = cluster.node(NodeAddress.GATE);
    Path config = Files.writeString(folder.resolve("prometheus.yml"), settings);
    Running process =
        node.start(
            User.ROOT,
            "prometheus",
            "--config.file=" + config,
            "--storage.tsdb.path=" + folder.resolve("data"),
            "--enable-feature=exemplar-storage",
            "--web.listen-address=127.0.0.1:9090");
    var prometheus = new Prometheus(node, process);
    Eventually.await(
        SOON,
        () -> !process.isAlive() || prometheus.get("/-/ready").contains("Ready"),
        () -> "prometheus does not get ready");
    if (!process.isAlive()) {
      throw new AssertionError(process.await(SOON).err());
    }
    return prometheus;
  }

  /** The jobs' names are those that rules and dashboards know. */
  private static String config(TestCluster cluster, Path rules) {
    return """
    global: {scrape_interval: 1s, evaluation_interval: 1s}
    rule_files: ["%s"]
    scrape_configs:
    %s%s\
    """
        .formatted(
            rules.toAbsolutePath().normalize(),
            job(cluster, "rollcall-agent", cluster.nodes(), 7451),
            job(cluster, "rollcall-gateway", cluster.gates(), 7453));
  }

  private static String job(TestCluster cluster, String name, List<ClusterNode> on, int port) {
    String targets =
        on.stream()
            .map(one ->
                "{targets: [\"%s\"], labels: {instance: %s}}"
                    .formatted(cluster.endpoint(one).replaceFirst("\\d+$", "" + port), one.name()))
            .collect(Collectors.joining(", "));
    return """
      - job_name: %s
        scheme: https
        tls_config: {ca_file: %s, cert_file: %s, key_file: %s}
        static_configs: [%s]
    """
        .formatted(
            name,
            cluster.authority(),
            cluster.administrator().resolve("certificate.pem"),
            cluster.administrator().resolve("key.pem"),
            targets);
  }

  private String get(String path) {
    return node.shell(User.ROOT, "curl -s -m 10 " + URL + path).out();
  }

  /** What its API says to a path; anything but success fails. */
  JsonObject api(String path, String... parameters) {
    var argv = new ArrayList<>(List.of("curl", "-s", "-m", "20", "-G", URL + "/api/v1/" + path));
    for (String parameter : parameters) {
      argv.addAll(List.of("--data-urlencode", parameter));
    }
    String said = node.exec(User.ROOT, argv.toArray(String[]::new)).out();
    var answer = new JsonObject(said);
    if (!"success".equals(answer.getString("status"))) {
      throw new AssertionError(String.join(" ", parameters) + ": " + said);
    }
    return answer;
  }

  /** The series that an expression has now. */
  JsonArray query(String expression) {
    return api("query", "query=" + expression).getJsonObject("data").getJsonArray("result");
  }

  /** What single events stand behind an expression's series, of the last five minutes. */
  List<JsonObject> exemplars(String expression) {
    Instant now = Clock.systemUTC().instant();
    var exemplars = new ArrayList<JsonObject>();
    for (JsonObject series :
        Panels.objects(
            api(
                    "query_exemplars",
                    "query=" + expression,
                    "start=" + now.minus(LATELY).getEpochSecond(),
                    "end=" + now.plus(LATELY).getEpochSecond())
                .getJsonArray("data"))) {
      exemplars.addAll(Panels.objects(series.getJsonArray("exemplars")));
    }
    return exemplars;
  }

  /** The one value of an expression. */
  OptionalDouble value(String expression) {
    JsonArray series = query(expression);
    return series.size() == 1
        ? OptionalDouble.of(
            Double.parseDouble(series.getJsonObject(0).getJsonArray("value").getString(1)))
        : OptionalDouble.empty();
  }

  /** The names of the alerts that fire now. */
  Set<String> firing() {
    return Panels.objects(api("alerts").getJsonObject("data").getJsonArray("alerts")).stream()
        .filter(alert -> alert.getString("state").equals("firing"))
        .map(alert -> alert.getJsonObject("labels").getString("alertname"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names of the alerts that fire, or did so in the last quarter of an hour. */
  Set<String> fired() {
    String expression = "count by (alertname) (max_over_time(ALERTS{alertstate=\"firing\"}[15m]))";
    return Panels.objects(query(expression)).stream()
        .map(series -> series.getJsonObject("metric").getString("alertname"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  void await(String expression, DoublePredicate holds) {
    Eventually.await(
        SOON,
        () -> value(expression).stream().anyMatch(holds),
        () -> expression + " is " + query(expression) + "; " + api("targets"));
  }

  @Override
  public void close() {
    process.kill();
  }
}
