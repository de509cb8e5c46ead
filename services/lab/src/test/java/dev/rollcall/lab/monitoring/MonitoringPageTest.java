package dev.rollcall.lab.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.docs.CodeBlock;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types the commands and files of docs/metrics.md, in a folder that stands for the root. */
@Tag("root")
class MonitoringPageTest {
  private static final Path PAGE = Shipped.HOME.resolve("docs/metrics.md");
  private static final Duration DEADLINE = Patience.ofSeconds(60);
  private static final String METRICS = "# TYPE rollcall_up gauge\nrollcall_up 1\n";

  @TempDir private Path root = Path.of("unset");

  /** The page copies the rules to /etc/prometheus, and the certificate below it. */
  @BeforeEach
  void copyTheFiles() throws IOException {
    Path tls = Files.createDirectories(root.resolve("etc/prometheus/rollcall"));
    for (String name : List.of("ca.pem", "certificate.pem", "key.pem")) {
      Files.writeString(tls.resolve(name), "");
    }
    Files.copy(Shipped.RULES, root.resolve("etc/prometheus/rollcall.rules.yml"));
  }

  private String moved(String text) {
    return text.replaceAll("(?<![\\w.])/(etc|var|run)/", root + "/$1/");
  }

  private static Result run(String... argv) {
    return Running.run(DEADLINE, List.of(argv));
  }

  private void type(String commands) {
    Result result =
        run(
            "bash",
            "-c",
            "set -eu; cd \"$1\"\n" + moved(commands),
            "bash",
            Shipped.HOME.toString());
    assertEquals(0, result.exit(), result.out() + result.err());
  }

  @Test
  void promtoolTakesTheConfigurationWithTheRules() throws IOException {
    Path config = root.resolve("etc/prometheus/prometheus.yml");
    List<String> blocks =
        CodeBlock.in(PAGE).stream()
            .filter(block -> block.language().equals("yaml"))
            .map(CodeBlock::text)
            .toList();
    assertEquals(2, blocks.size(), blocks.toString());
    Files.writeString(config, moved(String.join("", blocks)));
    Result checked = run("promtool", "check", "config", config.toString());
    assertTrue(checked.ok(), () -> checked.out() + checked.err());
    assertTrue(checked.out().contains("1 rule files found"), checked::out);
    Files.delete(root.resolve("etc/prometheus/rollcall/key.pem"));
    assertFalse(run("promtool", "check", "config", config.toString()).ok(), "a file is missing");
  }

  @Test
  void promtoolTakesTheConfigurationWithOtherExporters() throws IOException {
    Path config = root.resolve("etc/prometheus/prometheus.yml");
    String text = CodeBlock.beginning(PAGE.resolveSibling("comparison.md"), "global:").text();
    Files.writeString(config, moved(text));
    Result checked = run("promtool", "check", "config", config.toString());
    assertTrue(checked.ok(), () -> checked.out() + checked.err());
  }

  @Test
  void dashboardsAreCopiedAndRunbooksGetTheSitesAddress() throws IOException {
    for (String folder : List.of("dashboards", "datasources")) {
      Files.createDirectories(root.resolve("etc/grafana/provisioning").resolve(folder));
    }
    String copy = CodeBlock.beginning(PAGE, "install -d").text();
    type("systemctl() { echo \"$@\" >" + root + "/restarted; }\n" + copy);
    assertEquals("restart grafana-server\n", Files.readString(root.resolve("restarted")));
    type(CodeBlock.beginning(PAGE, "sed -i").text());

    Path rules = root.resolve("etc/prometheus/rollcall.rules.yml");
    assertTrue(run("promtool", "check", "rules", rules.toString()).ok());
    Path dashboards = root.resolve("var/lib/grafana/dashboards/rollcall");
    try (Stream<Path> files = Files.list(dashboards)) {
      List<Path> all = Stream.concat(Stream.of(rules), files).toList();
      assertEquals(8, all.size(), all.toString());
      for (Path file : all) {
        String text = Files.readString(file);
        assertTrue(text.contains("https://git.example.org/rollcall/blob/main/docs/runbooks.md"));
        assertFalse(text.contains("\"docs/runbooks.md"), file.toString());
      }
    }
  }

  @Test
  void theTextfileCollectorGetsTheSocketsMetrics() throws Exception {
    Path socket = Files.createDirectories(root.resolve("run/rollcall")).resolve("metrics.sock");
    Files.createDirectories(root.resolve("var/lib/prometheus/node-exporter"));
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Thread answering = Thread.ofVirtual().start(() -> answer(server));
      type(CodeBlock.beginning(PAGE, "file=").text());
      answering.join();
    }
    Path file = root.resolve("var/lib/prometheus/node-exporter/rollcall.prom");
    assertEquals(METRICS, Files.readString(file));

    FileTime answered = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(file, answered);
    for (int times = 0; times < 2; times++) {
      type(CodeBlock.beginning(PAGE, "file=").text());
      assertEquals("", Files.readString(file), "metrics of an agent that is down");
      assertEquals(answered, Files.getLastModifiedTime(file));
    }
  }

  @Test
  void theTextfileCollectorGetsTheNodesThatSlurmHasPoweredDown() throws IOException {
    Path folder = Files.createDirectories(root.resolve("var/lib/prometheus/node-exporter"));
    type(
        "sinfo() { [ \"${*: -2:1}\" = -t ] && printf 'n2\\nn1\\nn2\\n'; }\n"
            + CodeBlock.beginning(PAGE, "cd /var/lib").text());
    assertEquals(
        "slurm_node_powered_down{node=\"n1\"} 1\nslurm_node_powered_down{node=\"n2\"} 1\n",
        Files.readString(folder.resolve("slurm-powered-down.prom")));
  }

  private static void answer(ServerSocketChannel server) {
    String answer =
        "HTTP/1.1 200 OK\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
            .formatted(METRICS.length(), METRICS);
    try (SocketChannel client = server.accept()) {
      client.read(ByteBuffer.allocate(4096));
      client.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
