package dev.rollcall.agent.series;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks a real Prometheus, which scrapes a page with the names of cgroup_exporter, what jobstats 1.0
 * and its dashboard Single_Job_Stats.json ask.
 */
class JobstatsTest {
  private static final Duration SOON = Patience.ofSeconds(60);
  private static final Instant BEGAN = Instant.parse("2026-11-29T12:00:00Z");
  private static final JobId JOB = new JobId(50_783);
  private static final String OF_JOB = "{cluster='stellar',jobid='50783',step='',task=''}";

  private final KnownSeries known = new KnownSeries(System::nanoTime);
  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private HttpServer node;
  private Process prometheus;
  private int port;
  private long scrapes;

  /** A second of two CPUs passes between two scrapes; a step has a part of it. */
  private synchronized void answer(HttpExchange scrape) throws IOException {
    scrapes++;
    known.update(measured(Optional.empty(), scrapes));
    known.update(measured(Optional.of(StepId.of(0)), scrapes));
    var page = new ByteArrayOutputStream();
    var text = new PageText(page, false);
    new CgroupPage(text).write(known.all());
    text.end();
    scrape.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
    scrape.sendResponseHeaders(200, page.size());
    scrape.getResponseBody().write(page.toByteArray());
    scrape.close();
  }

  private static Measured measured(Optional<StepId> step, long seconds) {
    var measures = new Measures();
    Map.of(
            Measure.CPU_USER,
            1_500_000 * seconds,
            Measure.CPU_SYSTEM,
            500_000 * seconds,
            Measure.CPUS,
            4_000L,
            Measure.MEMORY,
            3L << 30,
            Measure.MEMORY_ANONYMOUS,
            2L << 30,
            Measure.MEMORY_CACHE,
            1L << 30,
            Measure.MEMORY_FAILURES,
            7L)
        .forEach(measures::put);
    if (step.isEmpty()) {
      measures.put(Measure.MEMORY_LIMIT, 8L << 30);
    }
    return new Measured(JOB, step, OptionalLong.empty(), BEGAN, measures);
  }

  @BeforeEach
  void scrape() throws IOException {
    known.enter(new Job(JOB, 1_001, 1_001, BEGAN, JobState.OPEN), Map.of(), DeviceRules.OPEN);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    node = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    node.createContext("/metrics/jobs", this::answer);
    node.start();
    try (var free = new ServerSocket(0, 1, loopback)) {
      port = free.getLocalPort();
    }
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s}
            scrape_configs:
            - job_name: Stellar Nodes
              metrics_path: /metrics/jobs
              static_configs:
              - {targets: ["127.0.0.1:%d"], labels: {cluster: stellar, instance: "stellar-m1:9306"}}
            """
                .formatted(node.getAddress().getPort()));
    prometheus =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    await("count_over_time(cgroup_uid[1h])", value -> value >= 2);
  }

  @AfterEach
  void end() throws InterruptedException {
    prometheus.destroyForcibly().waitFor();
    node.stop(0);
    client.close();
  }

  private void await(String expression, DoublePredicate holds) {
    Eventually.await(
        SOON,
        () -> ask(expression).size() == 1 && holds.test(value(expression)),
        () -> {
          try {
            return expression + " is " + ask(expression) + Files.readString(folder.resolve("log"));
          } catch (IOException e) {
            return e.toString();
          }
        });
  }

  /** The series of an answer; none while it does not answer. */
  private JsonArray ask(String expression) {
    var request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/api/v1/query?query=%s"
                        .formatted(port, URLEncoder.encode(expression, UTF_8))))
            .timeout(SOON)
            .build();
    try {
      var answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == 503) {
        return new JsonArray(); // it reads its files
      }
      var said = new JsonObject(answer.body());
      assertEquals("success", said.getString("status"), said::encode);
      return said.getJsonObject("data").getJsonArray("result");
    } catch (IOException notYet) {
      return new JsonArray();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private double value(String expression) {
    JsonArray all = ask(expression);
    assertEquals(1, all.size(), () -> expression + ": " + all.encode());
    return Double.parseDouble(all.getJsonObject(0).getJsonArray("value").getString(1));
  }

  @Test
  void jobstatsAndItsDashboardGetWhatTheyAskFor() {
    assertEquals(8L << 30, value("max_over_time(cgroup_memory_total_bytes" + OF_JOB + "[3600s])"));
    assertEquals(2L << 30, value("max_over_time(cgroup_memory_rss_bytes" + OF_JOB + "[3600s])"));
    assertEquals(4, value("max_over_time(cgroup_cpus" + OF_JOB + "[3600s])"));
    String time = "max_over_time(cgroup_cpu_total_seconds" + OF_JOB + "[3600s])";
    await(time, seconds -> seconds >= 4);
    assertEquals(
        "stellar-m1:9306",
        ask(time).getJsonObject(0).getJsonObject("metric").getString("instance"));
    assertEquals(1_001, value("cgroup_uid{jobid=\"50783\"}"));
    for (String part : new String[] {"user", "system", "total"}) {
      await(
          """
          label_replace((irate(cgroup_cpu_%s_seconds{jobid="50783",step="",task=""}[5m])
            / cgroup_cpus{jobid="50783",step="",task=""}), "shostname", "$1", "instance", "(.*):.*")\
          """
              .formatted(part),
          share -> share > 0);
    }
    for (String part : new String[] {"total_bytes", "rss_bytes", "cache_bytes", "used_bytes"}) {
      String shown = "cgroup_memory_%s{jobid=\"50783\",step=\"\",task=\"\"}".formatted(part);
      assertEquals(
          "stellar-m1",
          ask("label_replace(" + shown + ", \"shostname\", \"$1\", \"instance\", \"(.*):.*\")")
              .getJsonObject(0)
              .getJsonObject("metric")
              .getString("shostname"));
    }
    assertEquals(
        0, value("irate(cgroup_memory_fail_count{jobid=\"50783\",step=\"\",task=\"\"}[5m])"));
    assertEquals(1, value("count(cgroup_cpu_total_seconds{step=\"0\"})"));
  }
}
