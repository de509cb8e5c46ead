package dev.rollcall.lab.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Outcome;
import dev.rollcall.lab.demo.Scene;
import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.packages.Packages;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.RunsOn;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@RunsOn(system = "images, by runc", kernel = "6.18", tests = "agent, gateway and command")
@Tag("machine")
@ExtendWith(Packages.Once.class)
class ImagesTest {
  private static final long MOST_BYTES = 150_000_000;
  private static final String[] OF_THE_AGENT = {
    "DAC_OVERRIDE", "KILL", "NET_ADMIN", "SYS_ADMIN", "SYS_NICE", "SYS_PTRACE"
  };
  private static final Pattern PROGRAM = Pattern.compile("/opt/rollcall/bin/[a-z-]+|/bin/sh");
  private static final String GATEWAY_CONFIG =
      """
      listen: 127.0.0.1:7450
      metrics: 127.0.0.1:7453
      """;

  @TempDir private static Path folder = Path.of("");
  private static Images images = new Images(folder);
  private static Bundle agent = new Bundle(folder);
  private static Bundle gateway = new Bundle(folder);
  private static Bundle command = new Bundle(folder);

  /** Each in its own cgroup, whose name is the container's. */
  private final String id = "rollcall-image-" + ProcessHandle.current().pid();

  @BeforeAll
  static void make(Packages packages) {
    Path distribution = packages.withJava();
    images = Images.made(folder.resolve("images"), distribution, List.of(), List.of());
    agent = Bundle.unpacked(images.archive("agent"), folder.resolve("agent"));
    gateway = Bundle.unpacked(images.archive("gateway"), folder.resolve("gateway"));
    command = Bundle.unpacked(images.archive("command"), folder.resolve("command"));
  }

  @Test
  @Tag("full")
  void madeAgainElsewhereTheyAreTheSameBytes() throws Exception {
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Images again =
        Images.made(
            folder.resolve("again"),
            "TMPDIR=" + elsewhere,
            "TZ=Asia/Kathmandu",
            "LANG=C",
            "USER=x");

    assertEquals(3, again.archives().size());
    assertEquals(images.digests(), again.digests());
  }

  @Test
  void theyAreSmall() throws IOException {
    for (Path archive : images.archives()) {
      assertTrue(Files.size(archive) < MOST_BYTES, () -> archive + " is too large");
    }
  }

  @Test
  void eachHasItsUserCommandAndLabels() {
    JsonObject ofGateway = configured("gateway");
    assertEquals("7450:7450", ofGateway.getString("User"));
    assertEquals(
        new JsonArray(List.of("/opt/rollcall/bin/rollcall", "gateway")),
        ofGateway.getJsonArray("Entrypoint"));
    JsonObject ofAgent = configured("agent");
    assertEquals("0:0", ofAgent.getString("User"));
    assertEquals(
        new JsonArray(List.of("/opt/rollcall/bin/start-agent")),
        ofAgent.getJsonArray("Entrypoint"));
    assertEquals("7450:7450", configured("command").getString("User"));
    for (String program : List.of("agent", "gateway", "command")) {
      JsonObject labels = configured(program).getJsonObject("Labels");
      assertEquals("rollcall-" + program, labels.getString("org.opencontainers.image.title"));
      assertEquals("Apache-2.0", labels.getString("org.opencontainers.image.licenses"));
      assertTrue(labels.containsKey("org.opencontainers.image.version"), labels::encode);
    }
  }

  private static JsonObject configured(String program) {
    String archive = "oci-archive:" + images.archive(program);
    return new JsonObject(Images.run("skopeo", "inspect", "--config", archive))
        .getJsonObject("config");
  }

  @Test
  void theListsOfPartsNameEveryPackageAndTheJava() throws IOException {
    for (Bundle bundle : List.of(agent, gateway, command)) {
      Path lists = bundle.root().resolve("usr/share/doc/rollcall/sbom");
      assertTrue(Files.readString(lists.resolve("rollcall.cdx.json")).contains("vertx-core"));
      var named = new TreeSet<String>();
      var list = new JsonObject(Files.readString(lists.resolve("base.cdx.json")));
      for (Object part : list.getJsonArray("components")) {
        var component = (JsonObject) part;
        assertTrue(!component.getString("version").isEmpty(), component::encode);
        named.add(component.getString("name"));
      }
      var unpacked = new TreeSet<>(Set.of("OpenJDK"));
      try (var records = Files.list(bundle.root().resolve("var/lib/dpkg/status.d"))) {
        records.forEach(record -> unpacked.add(record.getFileName().toString()));
      }
      assertTrue(unpacked.contains("libc6"), unpacked::toString);
      assertEquals(unpacked, named);
    }
  }

  @Test
  void eachHasOnlyItsOwnProgramAndNoTests() throws IOException {
    assertEquals(List.of("agent", "container"), libraries(agent));
    assertEquals(List.of("gateway"), libraries(gateway));
    assertEquals(List.of("brief", "cli"), libraries(command));
    for (Bundle bundle : List.of(agent, gateway, command)) {
      var foreign = new ArrayList<String>();
      for (Path file : bundle.files()) {
        if (file.toString().endsWith(".jar")) {
          try (var jar = new JarFile(file.toFile())) {
            jar.stream()
                .map(entry -> file.getFileName() + "!" + entry.getName())
                .filter(name -> name.matches(".*!(org/junit|dev/rollcall/(lab|testkit|load))/.*"))
                .forEach(foreign::add);
          }
        }
      }
      assertEquals(List.of(), foreign);
    }
  }

  private static List<String> libraries(Bundle bundle) throws IOException {
    try (Stream<Path> folders = Files.list(bundle.root().resolve("opt/rollcall/lib"))) {
      return folders.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  /** A library that is missing shows only when something first calls it. */
  @Test
  void everyLibraryThatAnotherNeedsIsThere() {
    for (Bundle bundle : List.of(agent, gateway, command)) {
      assertEquals(Set.of(), missingLibraries(bundle));
    }
  }

  private static Set<String> missingLibraries(Bundle bundle) {
    var names =
        bundle.files().stream()
            .map(file -> file.getFileName().toString())
            .collect(Collectors.toCollection(TreeSet::new));
    return readelf(bundle, "--dynamic", "(NEEDED)")
        .map(line -> line.replaceFirst(".*\\[(.*)]", "$1"))
        .filter(name -> !names.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The lines about the bundle's programs and libraries that have this word. */
  private static Stream<String> readelf(Bundle bundle, String option, String word) {
    var binaries = bundle.files().stream().filter(ImagesTest::isBinary).toList();
    assertTrue(binaries.size() > 20, binaries::toString);
    var words = new ArrayList<>(List.of("readelf", option, "--wide"));
    binaries.forEach(file -> words.add(file.toString()));
    return Images.run(words.toArray(String[]::new)).lines().filter(line -> line.contains(word));
  }

  private static boolean isBinary(Path file) {
    if (Files.isSymbolicLink(file)) {
      return false;
    }
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(4), java.nio.charset.StandardCharsets.ISO_8859_1)
          .equals("\u007fELF");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Fetches Debian's Java of the other architecture, 60 MB, and adds a package. */
  @Test
  @Tag("full")
  void imagesOfTheOtherArchitectureAreOfItAlone() throws IOException {
    String other = System.getProperty("os.arch").equals("amd64") ? "arm64" : "amd64";
    Images others =
        Images.made(
            folder.resolve("other"),
            SourceTree.DISTRIBUTION,
            List.of("--arch", other, "--with", "slurm-client"),
            List.of());
    assertEquals(3, others.archives().size());
    for (Path archive : others.archives()) {
      assertTrue(Files.size(archive) < MOST_BYTES, () -> archive + " is too large");
      String inspect =
          Images.run("skopeo", "inspect", "--raw", "--config", "oci-archive:" + archive);
      assertEquals(other, new JsonObject(inspect).getString("architecture"));
    }
    Bundle bundle = Bundle.unpacked(others.archive("agent"), folder.resolve("other-agent"));
    assertEquals(Set.of(), missingLibraries(bundle));
    var machines =
        readelf(bundle, "--file-header", "Machine:")
            .map(line -> line.replaceFirst(".*: *", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(1, machines.size(), machines::toString);
    assertTrue(machines.first().matches(".*" + (other.equals("arm64") ? "AArch64" : "X86-64")));
    boolean crossBuilt = other.equals("arm64"); // services/arm64/cross
    assertEquals(crossBuilt ? List.of("agent", "container") : List.of("agent"), libraries(bundle));
    Bundle called = Bundle.unpacked(others.archive("command"), folder.resolve("other-command"));
    assertEquals(crossBuilt ? List.of("brief", "cli") : List.of("cli"), libraries(called));
    assertEquals(Set.of(), missingLibraries(called));
    assertTrue(Files.exists(bundle.root().resolve("usr/bin/squeue")));
  }

  @Test
  void noFileIsSetuidOrOfAnotherThanRootButWhatAGatewayWrites() throws IOException {
    for (Bundle bundle : List.of(agent, gateway, command)) {
      String find = "find " + bundle.root() + " -perm /6000 -type f -o ! -user 0 -o ! -group 0";
      List<String> found = Images.run("sh", "-c", find).lines().sorted().toList();
      assertEquals(bundle.equals(gateway) ? ownOfGateway() : List.of(), found);
    }
  }

  private static List<String> ownOfGateway() throws IOException {
    var own = new ArrayList<String>();
    for (String name : List.of("run/rollcall-gateway", "var/log/rollcall-gateway")) {
      Path directory = gateway.root().resolve(name);
      assertEquals(7450, Files.getAttribute(directory, "unix:uid"));
      own.add(directory.toString());
    }
    return own;
  }

  @Test
  void theChartStartsProgramsOfTheImages() throws IOException {
    Path templates = SourceTree.DEPLOY.resolve("helm/rollcall/templates");
    var started =
        Map.of(
            "agent-daemonset.yaml", agent,
            "gateway-statefulset.yaml", gateway,
            "tests/gateway.yaml", command);
    for (var template : started.entrySet()) {
      String text = Files.readString(templates.resolve(template.getKey()));
      List<String> programs =
          PROGRAM.matcher(text).results().map(MatchResult::group).distinct().toList();
      assertTrue(!programs.isEmpty(), template::getKey);
      for (String program : programs) {
        Path file = template.getValue().root().resolve(program.substring(1));
        assertTrue(Files.exists(file), () -> template.getKey() + ": no " + program);
      }
    }
  }

  private static void assertHasNoRights(Container server) {
    String status = server.exec("/bin/cat", "/proc/1/status").outOrThrow("cat");
    assertTrue(status.contains("Uid:\t7450\t7450\t7450\t7450\n"), status);
    assertTrue(status.contains("CapEff:\t0000000000000000\n"), status);
    Result write = server.exec("/bin/sh", "-c", "echo >/opt/rollcall/x");
    assertTrue((write.err() + write.out()).contains("Read-only file system"), write::toString);
  }

  /** It compiles for a short life. */
  private static void startGateway(Container server) {
    server.variable("ROLLCALL_GATEWAY_OPTS=-XX:TieredStopAtLevel=1");
    server.file("/etc/rollcall/gateway.yaml", GATEWAY_CONFIG);
    Running running = server.tmpfs("/tmp").tmpfs("/var/log/rollcall-gateway").start();
    awaitHealth(server, running, 7453);
  }

  private static void awaitHealth(Container server, Running running, int port) {
    String url = "http://127.0.0.1:" + port + "/health/ready";
    Eventually.await(
        Patience.ofSeconds(120),
        () -> !running.isAlive() || server.exec("/bin/busybox", "wget", "-qO-", url).ok(),
        () -> "not ready: " + running.outSoFar());
    assertTrue(running.isAlive(), () -> running.await(Patience.ofSeconds(1)).toString());
  }

  /** With a process namespace that is the node's, and a part of the machine's cgroups. */
  @Test
  void anAgentWithWhatTheChartGivesItIsAtItsGateway() throws Exception {
    Running node = Running.start(List.of("unshare", "--pid", "--fork", "sleep", "600"));
    Path cgroup = cgroup2().resolve(id + "-jobs");
    try (var server = new Container(gateway, id);
        var member = new Container(agent, id + "-agent");
        var client = new Container(command, id + "-command")) {
      Files.createDirectory(cgroup);
      startGateway(server);
      assertHasNoRights(server);
      member.inNamespaceOf(server.pid(), "network", "net");
      member.inNamespaceOf(first(node), "pid", "pid").capabilities(OF_THE_AGENT);
      member.directory("/sys/fs/cgroup").file("/etc/rollcall/agent.yaml", agentConfig(cgroup));
      member.tmpfs("/tmp").tmpfs("/run/rollcall").tmpfs("/var/lib/rollcall");
      awaitHealth(member, member.start(), 7451);

      client.inNamespaceOf(server.pid(), "network", "net").tmpfs("/tmp");
      client.command("/opt/rollcall/bin/rollcall", "nodes", "--gateway", "127.0.0.1:7450");
      Result nodes = client.run();
      assertTrue(nodes.out().contains("n007"), nodes::toString);
    } finally {
      node.kill();
      assertTrue(Eventually.holds(Patience.ofSeconds(20), () -> removed(cgroup)), cgroup::toString);
    }
  }

  private static Path cgroup2() {
    String mounts = Images.run("findmnt", "--noheadings", "--output", "TARGET", "-t", "cgroup2");
    return Path.of(mounts.lines().findFirst().orElseThrow().strip());
  }

  private static String agentConfig(Path cgroup) {
    return """
    node: n007
    gateways: [127.0.0.1:7450]
    metrics: 127.0.0.1:7451
    provider: native
    systemd: off
    bpf: off
    usage_file: /var/lib/rollcall/usage.jsonl
    audit_file: /var/lib/rollcall/audit.jsonl
    cgroup_root: %s
    """
        .formatted(cgroup);
  }

  private static boolean removed(Path cgroup) {
    String remove = "find " + cgroup + " -depth -type d -exec rmdir {} +";
    return Running.run(Patience.ofSeconds(10), List.of("sh", "-c", remove)).ok();
  }

  /** The scene of {@code ./rollcall demo --image}, with the demo's two gateways. */
  @Test
  @Tag("full")
  void theDemosGatewayFromItsImageAnswers() {
    var setup = ClusterSetup.of(SourceTree.DISTRIBUTION).withShape(new ClusterShape(3, 2));
    try (var cluster = TestCluster.start(setup);
        var agents = new AgentLines()) {
      Stage stage = Stage.of(cluster, agents);
      for (Scene scene : Scenes.withImage(images.folder())) {
        Outcome outcome = scene.play(stage);
        assertTrue(outcome.ok(), () -> outcome + "\n" + cluster.logs());
      }
    }
  }

  @Test
  void aGatewayWithoutItsMountsNamesThem() {
    try (var container = new Container(gateway, id)) {
      Result result = container.run();
      assertEquals(78, result.exit(), result::toString);
      assertSaid("cannot read /etc/rollcall/gateway.yaml", result);
    }
    try (var container = new Container(gateway, id)) {
      Result result = container.file("/etc/rollcall/gateway.yaml", GATEWAY_CONFIG).run();
      assertTrue(result.exit() != 0, result::toString);
      assertSaid("It is unpacked in /tmp, which must be writable", result);
    }
  }

  @Test
  void aCommandWithoutItsMountNamesIt() {
    try (var container = new Container(command, id)) {
      container.command("/opt/rollcall/bin/rollcall", "nodes", "--gateway", "127.0.0.1:7450");
      Result result = container.run();
      assertTrue(result.exit() != 0, result::toString);
      assertSaid("It is unpacked in /tmp, which must be writable", result);
      assertEquals(1, result.err().lines().count(), result::toString);
    }
  }

  @ParameterizedTest
  @FieldSource("OF_THE_AGENT")
  void anAgentWithoutACapabilityNamesIt(String missing) {
    String[] others =
        Stream.of(OF_THE_AGENT).filter(each -> !each.equals(missing)).toArray(String[]::new);
    try (var container = new Container(agent, id)) {
      Result result = container.capabilities(others).run();
      assertEquals(78, result.exit(), result::toString);
      assertSaid("this container lacks capabilities: " + missing + ". ", result);
    }
  }

  @Test
  void anAgentWithoutTheNodesProcessesOrCgroupsNamesThem() throws Exception {
    try (var container = new Container(agent, id)) {
      Result result = container.capabilities(OF_THE_AGENT).run();
      assertEquals(78, result.exit(), result::toString);
      assertSaid("not the node's (hostPID)", result);
    }
    Running node = Running.start(List.of("unshare", "--pid", "--fork", "sleep", "300"));
    try (var container = new Container(agent, id)) {
      container.capabilities(OF_THE_AGENT).inNamespaceOf(first(node), "pid", "pid");
      Result result = container.run();
      assertEquals(78, result.exit(), result::toString);
      assertSaid("does not have the node's /sys/fs/cgroup, writable", result);
    } finally {
      node.kill();
    }
  }

  /** The process with number 1 in the namespace that unshare(1) has made. */
  private static long first(Running node) throws Exception {
    Path children = Path.of("/proc/" + node.pid() + "/task/" + node.pid() + "/children");
    Eventually.await(
        Patience.ofSeconds(10),
        () -> ProcessHandle.of(node.pid()).orElseThrow().children().findAny().isPresent(),
        () -> "no process in the namespace");
    return Long.parseLong(Files.readString(children).strip());
  }

  private static void assertSaid(String text, Result result) {
    List<String> lines =
        Stream.concat(result.out().lines(), result.err().lines())
            .filter(line -> line.startsWith("rollcall"))
            .toList();
    assertEquals(1, lines.size(), result::toString);
    assertTrue(lines.getFirst().contains(text), result::toString);
  }
}
