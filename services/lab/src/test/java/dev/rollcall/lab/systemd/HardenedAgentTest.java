package dev.rollcall.lab.systemd;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.AotCaches;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent does its work with no more capabilities than its unit leaves it. */
@Tag("root")
class HardenedAgentTest {
  private static final String ROLLCALL =
      SourceTree.DISTRIBUTION.resolve("bin/rollcall").toAbsolutePath().toString();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder = Path.of("");
  private Path cgroup = Path.of("");
  private int port;

  @BeforeEach
  void configure() throws IOException {
    cgroup =
        Files.createDirectory(
            cgroup2().resolve("rollcall-hardened-" + ProcessHandle.current().pid()));
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Files.createDirectory(folder.resolve("bpf"));
    Files.writeString(
        folder.resolve("agent.yaml"),
        """
        node: here
        run_directory: %1$s/run
        state_directory: %1$s/state
        usage_file: %1$s/usage.jsonl
        audit_file: %1$s/audit.jsonl
        bpf_directory: %1$s/bpf/rollcall
        cgroup_root: %2$s
        hierarchy: v2
        metrics: 127.0.0.1:%3$d
        """
            .formatted(folder, cgroup, port));
  }

  @AfterEach
  void removeCgroups() throws IOException {
    try (Stream<Path> tree = Files.walk(cgroup)) {
      for (Path directory : tree.filter(Files::isDirectory).toList().reversed()) {
        Files.delete(directory);
      }
    }
  }

  private Path base() {
    return folder.resolve("jobs");
  }

  private static Path cgroup2() throws IOException {
    return Files.readAllLines(Path.of("/proc/mounts")).stream()
        .map(line -> line.split(" ", -1))
        .filter(mount -> mount[2].equals("cgroup2"))
        .map(mount -> Path.of(mount[1]))
        .findFirst()
        .orElseThrow();
  }

  /** The unit's bounding set as setpriv(1) takes it. */
  private static String boundingSet() throws IOException {
    String line =
        Files.readAllLines(SourceTree.DEPLOY.resolve("systemd/rollcall-agent.service")).stream()
            .filter(text -> text.startsWith("CapabilityBoundingSet="))
            .findFirst()
            .orElseThrow();
    String names = line.replaceFirst(".*=", "").toLowerCase(Locale.ROOT);
    return "-all," + names.replace("cap_", "+").replace(' ', ',');
  }

  @FunctionalInterface
  private interface Work {
    void run(Path log) throws Exception;
  }

  @Test
  void itAttachesBeginsAJobRunsAStepAndEndsIt() throws Exception {
    withAgent(log -> {
      assertTrue(
          Files.readString(log).contains("attached the sock_ops program"), Files.readString(log));
      assertEquals(
          "job 7 of root is open on here\n", rollcall("job", "begin", "7", "--user", "root"));
      String cgroups = rollcall("job", "run", "--job", "7", "--", "cat", "/proc/self/cgroup");
      assertTrue(cgroups.contains("/job_7/step_0/"), cgroups);
      assertEquals("job 7 has ended, processes killed: 0\n", rollcall("job", "end", "7"));
    });
  }

  @Test
  void itMakesAContainerAndRemovesWhatTheUserLeft() throws Exception {
    Path conf = folder.resolve("job_container.conf");
    Files.writeString(
        conf, "BasePath=%s AutoBasePath=true Dirs=/var/tmp,/dev/shm%n".formatted(base()));
    Files.writeString(folder.resolve("agent.yaml"), "container_conf: %s%n".formatted(conf), APPEND);
    withAgent(log -> {
      String begun = rollcall("job", "begin", "8", "--user", "daemon");
      assertEquals("job 8 of daemon is open on here\n", begun, Files.readString(log));
      Path own = base().resolve("8/_var_tmp");
      Object daemon = Files.getAttribute(own, "unix:uid");
      assertNotEquals(0, daemon);
      Path sticky = Files.createDirectory(own.resolve("sticky"));
      Files.setAttribute(Files.createFile(sticky.resolve("left")), "unix:uid", daemon);
      Files.setAttribute(sticky, "unix:mode", 01777);
      Files.setAttribute(sticky, "unix:uid", daemon);
      var _ = rollcall("job", "end", "8");
      Eventually.await(
          PATIENCE, () -> names(base()).isEmpty(), () -> names(base()) + " stays, " + log);
    });
  }

  @Test
  void itMakesNamespacesOfTheOtherKinds() throws Exception {
    Path conf = folder.resolve("namespace.yaml");
    Files.writeString(
        conf,
        """
        defaults:
          base_path: %s
          auto_base_path: true
          dirs: [/var/tmp, /dev/shm]
          clone_ns_flags: [CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWNET]
        """
            .formatted(base()));
    Files.writeString(folder.resolve("agent.yaml"), "container_conf: %s%n".formatted(conf), APPEND);
    withAgent(log -> {
      String begun = rollcall("job", "begin", "9", "--user", "daemon");
      assertEquals("job 9 of daemon is open on here\n", begun, Files.readString(log));
      List<String> files =
          Stream.of(names(folder.resolve("run/containers/9")).split(" ")).sorted().toList();
      // Namespaces are empty files here: they are mounts of the agent's own mount namespace.
      assertEquals(List.of("ipc", "mnt", "net", "pid", "rules", "uts"), files);
      var _ = rollcall("job", "end", "9");
      assertEquals("", names(folder.resolve("run/containers")));
    });
  }

  private static String names(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? "no directory" : String.join(" ", names);
  }

  private void withAgent(Work work) throws Exception {
    String start =
        "mount -t bpf bpf bpf; exec setpriv --no-new-privs --inh-caps=-all --bounding-set=%s %s agent --config agent.yaml"
            .formatted(boundingSet(), ROLLCALL);
    Path log = folder.resolve("log");
    var builder =
        new ProcessBuilder("unshare", "--mount", "sh", "-ec", start)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    withCache(builder, "ROLLCALL_AGENT_OPTS", "agent");
    Process agent = builder.start();
    try {
      awaitReady(agent, log);
      work.run(log);
    } finally {
      agent.destroy();
      assertTrue(agent.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the agent does not end");
    }
  }

  private static void withCache(ProcessBuilder builder, String variable, String program) {
    AotCaches.of(SourceTree.DISTRIBUTION)
        .ifPresent(caches -> builder.environment().put(variable, caches.options(program)));
  }

  private void awaitReady(Process agent, Path log) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/ready")).build();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (var client = HttpClient.newHttpClient()) {
      while (System.nanoTime() < deadline && agent.isAlive()) {
        try {
          if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
            return;
          }
        } catch (IOException e) {
          // It does not listen yet.
        }
        // Not a wait for an event: how often to look again.
        agent.waitFor(50, TimeUnit.MILLISECONDS);
      }
    }
    throw new AssertionError("the agent is not ready: " + Files.readString(log));
  }

  private String rollcall(String... words) throws IOException, InterruptedException {
    var command =
        Stream.concat(Stream.of(ROLLCALL), Stream.of(words))
            .collect(java.util.stream.Collectors.toList());
    int end = command.indexOf("--");
    command.addAll(
        end < 0 ? command.size() : end,
        List.of("--socket", folder.resolve("run/agent.sock").toString()));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Other words of these tests are the program's in C, unless the JVM has flags.
    if (words[1].equals("run")) {
      withCache(builder, "ROLLCALL_CLI_OPTS", "cli");
    }
    Process process = builder.start();
    process.getOutputStream().close();
    try (var output = process.inputReader()) {
      String said = output.readAllAsString();
      assertTrue(
          process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "still running: " + command);
      assertEquals(0, process.exitValue(), said);
      return said;
    }
  }
}
