package dev.rollcall.jobs.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules.Disk;
import dev.rollcall.jobs.container.ContainerRules.PrivateDirectory;
import dev.rollcall.jobs.container.ContainerRules.Scripts;
import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import dev.rollcall.jobs.container.ContainerRules.Surroundings;
import dev.rollcall.jobs.container.ContainerRules.Tmpfs;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Containers of a node, in directories of their own. Leaves nothing. */
final class ContainerRig implements AutoCloseable {
  static final String BOOT = "11111111-2222-3333-4444-555555555555";
  static final int ALICE = 40_001;
  static final int BOB = 40_002;

  private static final Set<MountFlag> SAFE = Set.of(MountFlag.NOSUID, MountFlag.NODEV);

  final Path top;
  final Path base;
  Consumer<String> before = _ -> {};
  final Map<String, Optional<ContainerRules>> choices = new HashMap<>();
  private ContainerRules rules;
  private final List<JobContainers> opened = new ArrayList<>();

  ContainerRig() {
    this(fresh());
  }

  /** In the directories of another rig. */
  ContainerRig(Path top) {
    this.top = top;
    base = top.resolve("base");
    rules =
        new ContainerRules(
            base,
            false,
            List.of(disk("/tmp"), memory("/dev/shm", "size=1m")),
            Scripts.NONE,
            false,
            Surroundings.nodes());
  }

  private static Path fresh() {
    try {
      // Not below /tmp, which is private to jobs here.
      Path top = Files.createTempDirectory(Path.of("/var/tmp"), "rollcall-containers-");
      Files.createDirectory(top.resolve("base"));
      Files.createDirectory(top.resolve("state"));
      return top;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  PrivateDirectory disk(String path) {
    return new PrivateDirectory((job, user) -> Path.of(path), new Disk(base), SAFE);
  }

  static PrivateDirectory memory(String path, String data) {
    return new PrivateDirectory((job, user) -> Path.of(path), new Tmpfs(data), SAFE);
  }

  ContainerRules rules() {
    return rules;
  }

  void rules(ContainerRules other) {
    rules = other;
  }

  void directories(PrivateDirectory... directories) {
    with(List.of(directories), rules.scripts(), rules.surroundings());
  }

  void script(Path cloneScript) {
    Scripts now = rules.scripts();
    var script = new SiteScript(cloneScript, Duration.ofSeconds(10));
    scripts(new Scripts(now.init(), Optional.of(script), now.epilog()));
  }

  void scripts(Scripts scripts) {
    with(rules.directories(), scripts, rules.surroundings());
  }

  private void surroundings(Surroundings surroundings) {
    with(rules.directories(), rules.scripts(), surroundings);
  }

  private void with(
      List<PrivateDirectory> directories, Scripts scripts, Surroundings surroundings) {
    rules =
        new ContainerRules(
            rules.basePath(),
            rules.makesBasePath(),
            directories,
            scripts,
            rules.shared(),
            surroundings);
  }

  void namespaces(MoreNamespaces more) {
    Surroundings now = rules.surroundings();
    surroundings(
        new Surroundings(more, now.networkNamespace(), now.view(), now.runtimeDirectory()));
  }

  void view(View view) {
    Surroundings now = rules.surroundings();
    surroundings(
        new Surroundings(now.more(), now.networkNamespace(), view, now.runtimeDirectory()));
  }

  void network(ContainerRules.JobPath network) {
    Surroundings now = rules.surroundings();
    surroundings(
        new Surroundings(now.more(), Optional.of(network), now.view(), now.runtimeDirectory()));
  }

  void runtime(Path runtime) {
    Surroundings now = rules.surroundings();
    surroundings(
        new Surroundings(now.more(), now.networkNamespace(), now.view(), Optional.of(runtime)));
  }

  JobContainers open() throws IOException {
    return open(BOOT);
  }

  JobContainers open(String boot) throws IOException {
    return closedLater(JobContainers.open(config(Optional.of(rules), boot)));
  }

  /** As where the site's file is not configured any more. */
  JobContainers openWithout() throws IOException {
    return closedLater(JobContainers.open(config(Optional.empty(), BOOT)));
  }

  /** With removals of node1. */
  JobContainers open(Removals removals) throws IOException {
    return closedLater(JobContainers.open(config(Optional.of(rules), BOOT), removals));
  }

  private JobContainers closedLater(JobContainers containers) {
    opened.add(containers);
    return containers;
  }

  private ContainersConfig config(Optional<ContainerRules> wanted, String boot) {
    return new ContainersConfig(
        wanted,
        choices,
        "node1",
        boot,
        top.resolve("run"),
        top.resolve("state"),
        uid -> uid == ALICE ? "alice" : "",
        step -> before.accept(step));
  }

  Path pin(long job) {
    return top.resolve("run/containers/" + job + "/mnt");
  }

  /** What a shell command says inside of a job's container, as the job's owner. */
  String inside(long job, int uid, String script) throws IOException {
    return said(
        "nsenter",
        "--mount=" + pin(job),
        "--",
        "setpriv",
        "--reuid=" + uid,
        "--regid=" + uid,
        "--clear-groups",
        "sh",
        "-c",
        script);
  }

  /** What a command says; it has to end well within half a minute. */
  static String said(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try {
      boolean ended = process.waitFor(30, TimeUnit.SECONDS);
      String said =
          ended
              ? new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip()
              : "";
      process.destroyForcibly();
      assertTrue(ended, () -> String.join(" ", command) + " does not end");
      assertEquals(0, process.exitValue(), () -> String.join(" ", command) + ": " + said);
      return said;
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Lines of this process's mountinfo about the rig's directories. */
  List<String> mounts() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/thread-self/mountinfo"))) {
      return lines.filter(line -> line.contains(top.toString())).toList();
    }
  }

  /** What is in the base path, its own directories for removal aside. */
  List<String> inBase() throws IOException {
    try (Stream<Path> children = Files.list(base)) {
      return children.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** What ended is removed in the background, with the directory where it was. */
  void awaitEmptyBase() {
    awaitNone(() -> {
      try {
        return !inBase().isEmpty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** Until it is not so any more. */
  void awaitNone(BooleanSupplier there) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (there.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, () -> "it is still there, in " + base);
      Thread.onSpinWait();
    }
  }

  static JobId job(long number) {
    return new JobId(number);
  }

  @Override
  public void close() throws IOException {
    // A test that failed leaves its processes, which would be in the way of the next.
    for (long job : new long[] {42, 43}) {
      if (Files.exists(top.resolve("run/containers/" + job + "/pid"))) {
        open().delete(job(job), ALICE, ALICE);
      }
    }
    opened.forEach(JobContainers::close);
    Path pins = top.resolve("run/containers");
    while (Files.exists(pins) && Mount.detach(pins)) {
      assertTrue(Files.exists(pins));
    }
    try (Stream<Path> all = Files.walk(top)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
