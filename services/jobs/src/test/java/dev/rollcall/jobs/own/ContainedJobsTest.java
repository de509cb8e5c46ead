package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules;
import dev.rollcall.jobs.container.ContainerRules.Disk;
import dev.rollcall.jobs.container.ContainerRules.PrivateDirectory;
import dev.rollcall.jobs.container.ContainerRules.Scripts;
import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import dev.rollcall.jobs.container.ContainerRules.Surroundings;
import dev.rollcall.jobs.container.ContainerRules.Tmpfs;
import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.container.MoreNamespaces;
import dev.rollcall.jobs.container.UserMaps;
import dev.rollcall.jobs.container.View;
import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Native jobs with containers: what they leave, and what is told when there can be none. */
@Tag("root")
class ContainedJobsTest {
  private static final int JOBS = Counts.of(40, 200);

  private static final int OWNER = 1001;
  private static final Path MAKER =
      Path.of("../container/target/rollcall-namespaces").toAbsolutePath().normalize();

  private static final Path ENTER =
      Path.of("../container/target/rollcall-enter").toAbsolutePath().normalize();

  /** A node's native jobs with containers, in directories of their own. */
  private static final class Node implements AutoCloseable {
    final Rig rig;
    final Path top;
    final ContainersConfig config;

    /**
     * @param data of the tmpfs on /dev/shm
     */
    Node(Choice choice, String data) throws IOException {
      this(choice, data, MoreNamespaces.none());
    }

    Node(Choice choice, String data, MoreNamespaces more) throws IOException {
      this(choice, data, more, Map.of());
    }

    /**
     * @param chosen by their names the namespaces of containers that jobs may choose
     */
    Node(Choice choice, String data, MoreNamespaces more, Map<String, MoreNamespaces> chosen)
        throws IOException {
      rig = new Rig(choice);
      // Not below /tmp, which is private to jobs here.
      top = Files.createTempDirectory(Path.of("/var/tmp"), "rollcall-contained-");
      Path base = Files.createDirectory(top.resolve("base"));
      Path state = Files.createDirectory(top.resolve("state"));
      Map<String, Optional<ContainerRules>> choices = new HashMap<>();
      chosen.forEach((name, other) -> choices.put(name, Optional.of(rules(base, data, other))));
      config =
          new ContainersConfig(
              Optional.of(rules(base, data, more)),
              choices,
              "node1",
              Rig.BOOT,
              top.resolve("run"),
              state,
              _ -> "",
              _ -> {});
      rig.reopen(config);
    }

    private static ContainerRules rules(Path base, String data, MoreNamespaces more) {
      return new ContainerRules(
          base,
          false,
          List.of(
              new PrivateDirectory((job, user) -> Path.of("/tmp"), new Disk(base), Set.of()),
              new PrivateDirectory((job, user) -> Path.of("/dev/shm"), new Tmpfs(data), Set.of())),
          Scripts.NONE,
          false,
          around(more));
    }

    /** The same configuration with these scripts. */
    ContainersConfig with(Scripts scripts) {
      ContainerRules rules = config.rules().orElseThrow();
      return new ContainersConfig(
          Optional.of(
              new ContainerRules(
                  rules.basePath(),
                  rules.makesBasePath(),
                  rules.directories(),
                  scripts,
                  rules.shared(),
                  rules.surroundings())),
          config.choices(),
          config.node(),
          config.bootId(),
          config.runDirectory(),
          config.stateDirectory(),
          config.userNames(),
          config.before());
    }

    private static Surroundings around(MoreNamespaces more) {
      return new Surroundings(more, Optional.empty(), View.WHOLE, Optional.empty());
    }

    BeginResult begin(JobId id, String container) {
      return rig.jobs()
          .begin(
              new JobSpec(
                  id, OWNER, OWNER, Instant.now(), Allocation.NONE, Optional.of(container)));
    }

    List<Leftover> left(JobId job) {
      try {
        return rig.jobs().leftovers(job);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    BeginResult begin(JobId id) {
      return rig.jobs().begin(new JobSpec(id, OWNER, OWNER, Instant.now()));
    }

    @Override
    public void close() throws IOException {
      rig.close();
      assertTrue(Mount.detach(top.resolve("run/containers")));
      try (Stream<Path> all = Files.walk(top)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  /**
   * What there is: mounts, our directories, our descriptors and our threads, but for the JDK's own,
   * which wait for children and stay for a minute.
   */
  private record Holdings(
      List<String> mounts, List<Path> directories, long descriptors, List<String> threads) {
    static Holdings of(Node node) throws IOException {
      List<Path> directories = new ArrayList<>();
      for (CgroupDirectory root : node.rig.roots) {
        root.tree().forEach(each -> directories.add(each.path()));
      }
      try (Stream<Path> below = Files.walk(node.top);
          Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
        below.forEach(directories::add);
        return new Holdings(
            mounts(node.top),
            directories.stream().sorted().toList(),
            descriptors.count(),
            Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !name.equals("process reaper") && !name.startsWith("ForkJoinPool"))
                .sorted()
                .toList());
      }
    }

    /** Those of the node's, and on what is private; others come and go on this machine. */
    private static List<String> mounts(Path top) throws IOException {
      return Files.readAllLines(Path.of("/proc/thread-self/mountinfo")).stream()
          .filter(line ->
              line.contains(top.toString())
                  || line.contains(" /tmp ")
                  || line.contains(" /dev/shm "))
          .toList();
    }

    /** The same again, when the last of the files has been removed in the background. */
    static Holdings settled(Node node, Holdings before) throws IOException {
      BoundedWait patience = BoundedWait.of(Rig.LONG);
      Holdings now = now(node);
      while (!now.equals(before) && patience.pause()) {
        now = now(node);
      }
      return now;
    }

    private static Holdings now(Node node) throws IOException {
      try {
        return of(node);
      } catch (UncheckedIOException e) { // something was removed while it was looked at
        return new Holdings(List.of(), List.of(), 0, List.of());
      }
    }
  }

  @OnEachHierarchy
  void manyJobsLeaveNothing(Choice choice) throws Exception {
    try (Node node = new Node(choice, "size=1m")) {
      round(node, 1);
      round(node, 2);
      Rig.await("the first files are gone", () -> isEmpty(node.top.resolve("base")));
      Holdings before = Holdings.of(node);
      for (int number = 3; number < 3 + JOBS; number++) {
        round(node, number);
      }
      node.rig.jobs().reap();
      assertEquals(before, Holdings.settled(node, before));
      assertEquals(List.of(), node.rig.jobs().list());
    }
  }

  /** The epilog gets them from the job's file, also from the next agent. */
  @OnEachHierarchy
  void theSitesScriptsGetWhatTheBatchSystemGaveAtTheBeginning(Choice choice) throws Exception {
    JobId job = new JobId(42);
    try (Node node = new Node(choice, "size=1m")) {
      var written = script(node, "init");
      var atTheEnd = script(node, "epilog");
      var scripts = new Scripts(Optional.of(written), Optional.empty(), Optional.of(atTheEnd));
      node.rig.reopen(node.with(scripts));
      var given =
          new Allocation(
              Limits.NONE,
              DeviceRules.OPEN,
              Map.of("SLURM_JOB_WORK_DIR", "/home/al ice", "TMPDIR", "/x"),
              List.of());
      var spec = new JobSpec(job, OWNER, OWNER, Instant.now(), given);
      assertInstanceOf(BeginResult.Begun.class, node.rig.jobs().begin(spec));
      node.rig.reopen(node.config);
      assertInstanceOf(EndResult.Clean.class, node.rig.jobs().end(job, Rig.LONG));
      for (String name : List.of("init", "epilog")) {
        List<String> variables = Files.readAllLines(node.top.resolve(name + ".env"));
        assertTrue(variables.contains("SLURM_JOB_WORK_DIR=/home/al ice"), variables::toString);
        assertFalse(variables.contains("TMPDIR=/x"), variables::toString);
      }
    }
  }

  private static ContainerRules.SiteScript script(Node node, String name) throws IOException {
    Path file = node.top.resolve(name);
    Files.writeString(file, "#!/bin/sh\nenv >" + file + ".env\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new ContainerRules.SiteScript(file, Duration.ofSeconds(10));
  }

  private static Set<Leftover.Kind> kinds(Node node, JobId job) throws IOException {
    Set<Leftover.Kind> kinds = EnumSet.noneOf(Leftover.Kind.class);
    node.rig.jobs().leftovers(job).forEach(each -> kinds.add(each.kind()));
    return kinds;
  }

  @OnEachHierarchy
  void everythingOfAJobIsListedUntilItIsRemoved(Choice choice) throws Exception {
    JobId job = new JobId(42);
    try (Node node = new Node(choice, "size=1m")) {
      assertInstanceOf(BeginResult.Begun.class, node.begin(job));
      assertEquals(EnumSet.complementOf(EnumSet.of(Leftover.Kind.PROCESS)), kinds(node, job));
      Path directory = node.top.resolve("base/42");
      assertTrue(
          node.rig
              .jobs()
              .leftovers(job)
              .contains(new Leftover(Leftover.Kind.DIRECTORY, directory.toString())));
      assertEquals(Set.of(), kinds(node, new JobId(43)));
      Path busy = Files.createDirectory(directory.resolve("busy"));
      Mount.bind(busy, busy);
      Mount.propagate(busy, Mount.Propagation.PRIVATE);
      assertInstanceOf(
          EndResult.Clean.class,
          node.rig.jobs().end(job, new EndOrder("", Duration.ZERO, Rig.LONG)));
      Path aside = node.top.resolve("base/.rollcall-node1/gone-42-1");
      assertEquals(
          List.of(new Leftover(Leftover.Kind.DIRECTORY, aside.toString())),
          node.rig.jobs().leftovers(job));
      assertTrue(Mount.detach(aside.resolve("busy")));
      node.rig.reopen(node.config);
      Rig.await("it is removed", () -> node.left(job).isEmpty());
    }
  }

  @OnEachHierarchy
  void aProcessOfAJobIsListedByPidAndName(Choice choice) throws Exception {
    JobId job = new JobId(42);
    try (Node node = new Node(choice, "size=1m")) {
      assertInstanceOf(BeginResult.Begun.class, node.begin(job));
      Process process = node.rig.shell("exec sleep 600");
      try (Pidfd pinned = Rig.pin(process)) {
        assertInstanceOf(AdoptResult.Adopted.class, node.rig.adopt(pinned, job));
      }
      Rig.await(
          "the process is sleep",
          () ->
              node.left(job)
                  .contains(new Leftover(Leftover.Kind.PROCESS, process.pid() + " (sleep)")));
      node.rig.jobs().end(job, new EndOrder("", Duration.ZERO, Rig.LONG));
    }
  }

  @OnEachHierarchy
  void withNamespacesOfAllKindsTheyLeaveNothingEither(Choice choice) throws Exception {
    var all = EnumSet.complementOf(EnumSet.of(NamespaceType.MOUNT));
    try (Node node =
        new Node(choice, "size=1m", new MoreNamespaces(MAKER, all, Duration.ofSeconds(10)))) {
      round(node, 1);
      round(node, 2);
      Rig.await("the first files are gone", () -> isEmpty(node.top.resolve("base")));
      Holdings before = Holdings.of(node);
      assertInstanceOf(BeginResult.Begun.class, node.begin(new JobId(42)));
      for (NamespaceType kind : all) {
        assertTrue(Files.exists(node.top.resolve("run/containers/42/" + kind.word())));
      }
      for (CgroupDirectory job : node.rig.directories(42)) {
        for (CgroupDirectory each : job.tree()) {
          assertEquals(each.path().endsWith("container") ? 1 : 0, each.pids().size());
        }
      }
      assertInstanceOf(
          EndResult.Clean.class,
          node.rig.jobs().end(new JobId(42), new EndOrder("", Duration.ofSeconds(5), Rig.LONG)));
      node.rig.jobs().reap();
      assertEquals(before, Holdings.settled(node, before));
    }
  }

  private static List<String> namespaces(Node node, JobId job) {
    return node.rig.jobs().sessionPlace(job).orElseThrow().container().namespaceFiles().stream()
        .map(file -> String.valueOf(file.getFileName()))
        .toList();
  }

  @OnEachHierarchy
  void aJobChoosesAmongTheSitesContainers(Choice choice) throws Exception {
    var pid = new MoreNamespaces(MAKER, EnumSet.of(NamespaceType.PID), Rig.LONG);
    JobId usual = new JobId(41);
    JobId strict = new JobId(42);
    JobId none = new JobId(43);
    try (Node node = new Node(choice, "size=1m", MoreNamespaces.none(), Map.of("strict", pid))) {
      assertInstanceOf(BeginResult.Begun.class, node.begin(usual));
      assertInstanceOf(BeginResult.Begun.class, node.begin(strict, "strict"));
      assertInstanceOf(BeginResult.Begun.class, node.begin(none, "none"));
      assertEquals(
          new BeginResult.Refused(
              "job 44: container 'other' is none of this node's, which are: none, strict"),
          node.begin(new JobId(44), "other"));

      node.rig.reopen(node.config);
      assertEquals(List.of("mnt"), namespaces(node, usual));
      assertEquals(List.of("pid", "mnt"), namespaces(node, strict));
      assertEquals(List.of(), namespaces(node, none));
      assertEquals(Set.of(), kinds(node, new JobId(44)));
      for (JobId job : List.of(usual, strict, none)) {
        assertInstanceOf(
            EndResult.Clean.class,
            node.rig.jobs().end(job, new EndOrder("", Duration.ZERO, Rig.LONG)));
        Rig.await("its files are gone", () -> node.left(job).isEmpty());
      }
    }
  }

  private static BeginResult begin(Node node, Limits limits) {
    var given = new Allocation(limits, DeviceRules.OPEN, Map.of(), List.of());
    return node.rig.jobs().begin(new JobSpec(new JobId(42), OWNER, OWNER, Instant.now(), given));
  }

  private static Limits onCpus(String cpus) {
    return new Limits(
        Optional.of(new NumberList(cpus)),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of());
  }

  @OnEachHierarchy
  void aJobWhoseLimitsCannotBeSetLeavesNoCgroupWithItsPidNamespace(Choice choice) throws Exception {
    var pid = new MoreNamespaces(MAKER, EnumSet.of(NamespaceType.PID), Duration.ofSeconds(10));
    try (Node node = new Node(choice, "size=1m", pid)) {
      assertInstanceOf(BeginResult.Refused.class, begin(node, onCpus("8191")));
      assertEquals(List.of(), node.rig.directories(42));
      assertEquals(List.of(), node.rig.pids());
      Rig.await("its files are gone", () -> node.left(new JobId(42)).isEmpty());
    }
  }

  /** The job's user is root of the namespace, and process 1 is that user's. */
  private static UserMaps ownersAreRoot(Path directory) throws IOException {
    String map = "printf '0 " + OWNER + " 1' >/proc/$SLURM_NS_PID/";
    Path script = directory.resolve("maps");
    Files.writeString(script, "#!/bin/sh\n" + map + "uid_map\n" + map + "gid_map\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Path none = Files.writeString(directory.resolve("none"), "");
    return new UserMaps(new SiteScript(script, Duration.ofSeconds(10)), none, none);
  }

  /** As if the agent was killed between the container and the journal's line. */
  @OnEachHierarchy
  void aJobThatBarelyBeganIsNotTakenBackForItsFirstProcess(Choice choice, @TempDir Path directory)
      throws Exception {
    var own = EnumSet.of(NamespaceType.USER, NamespaceType.PID);
    var maps = Optional.of(ownersAreRoot(directory));
    try (Node node =
        new Node(choice, "size=1m", new MoreNamespaces(MAKER, own, Duration.ofSeconds(10), maps))) {
      Files.setPosixFilePermissions(node.top, PosixFilePermissions.fromString("rwx--x--x"));
      assertInstanceOf(BeginResult.Begun.class, node.begin(new JobId(42)));
      assertEquals(1, node.rig.pids().size());
      Files.write(node.rig.state.resolve(JobJournal.FILE), new byte[0]);
      node.rig.reopen(node.config);
      assertEquals(List.of(), node.rig.jobs().list());
      assertEquals(List.of(), node.rig.directories(42));
      assertEquals(List.of(), node.rig.pids());
      assertInstanceOf(BeginResult.Begun.class, node.begin(new JobId(42)));
      node.rig.jobs().end(new JobId(42), new EndOrder("", Duration.ZERO, Rig.LONG));
    }
  }

  private static Optional<SessionPlace.Container> container(Node node) {
    return node.rig.jobs().sessionPlace(new JobId(42)).map(SessionPlace::container);
  }

  @OnEachHierarchy
  void sessionsAreToldTheFilesOfItsNamespacesInTheOrderOfJoining(Choice choice) throws Exception {
    var most = EnumSet.complementOf(EnumSet.of(NamespaceType.USER, NamespaceType.MOUNT));
    try (Node node =
        new Node(choice, "size=1m", new MoreNamespaces(MAKER, most, Duration.ofSeconds(10)))) {
      assertInstanceOf(BeginResult.Begun.class, node.begin(new JobId(42)));
      SessionPlace.Container container = container(node).orElseThrow();
      assertEquals(
          Stream.of("pid", "ipc", "uts", "net", "cgroup", "mnt")
              .map(kind -> node.top.resolve("run/containers/42").resolve(kind))
              .toList(),
          container.namespaceFiles());
      assertFalse(container.userNamespace());
      for (Path file : container.namespaceFiles()) {
        // Each keeps a namespace for whoever opens it from here: it is on nsfs, proc(5).
        assertEquals("nsfs", Files.getFileStore(file).type(), file.toString());
      }
      node.rig.jobs().end(new JobId(42), new EndOrder("", Duration.ZERO, Rig.LONG));
    }
  }

  @OnEachHierarchy
  void aUserNamespaceIsSaidAndNoFileOfItIsNamed(Choice choice) throws Exception {
    var user = EnumSet.of(NamespaceType.USER);
    try (Node node =
        new Node(choice, "size=1m", new MoreNamespaces(MAKER, user, Duration.ofSeconds(10)))) {
      assertInstanceOf(BeginResult.Begun.class, node.begin(new JobId(42)));
      assertEquals(
          Optional.of(new SessionPlace.Container(List.of(), Map.of(), /* userNamespace= */ true)),
          container(node));
      node.rig.jobs().end(new JobId(42), new EndOrder("", Duration.ZERO, Rig.LONG));
    }
  }

  /** A device of no driver: ENXIO where it is allowed, EPERM where it is not. */
  @OnEachHierarchy
  void devicesAreLimitedInAUserNamespaceWithoutABpfToken(Choice choice) throws Exception {
    var user = EnumSet.of(NamespaceType.USER);
    try (Node node =
        new Node(choice, "size=1m", new MoreNamespaces(MAKER, user, Duration.ofSeconds(10)))) {
      Files.setPosixFilePermissions(node.top, PosixFilePermissions.fromString("rwx--x--x"));
      var rules = new DeviceRules(Kind.ALLOW_LIST, List.of(DeviceRule.parse("c 240:7 r")));
      var given = new Allocation(Limits.NONE, rules, Map.of(), List.of());
      var spec = new JobSpec(new JobId(42), OWNER, OWNER, Instant.now(), given);
      assertInstanceOf(BeginResult.Begun.class, node.rig.jobs().begin(spec));
      List<Path> step =
          assertInstanceOf(
                  StepResult.Made.class, node.rig.jobs().beginStep(new JobId(42), Optional.empty()))
              .procsFiles();
      assertEquals("No such device or address", readInside(node, step, 7));
      assertEquals("Operation not permitted", readInside(node, step, 8));
      node.rig.jobs().end(new JobId(42), new EndOrder("", Duration.ZERO, Rig.LONG));
    }
  }

  /** The failure of the job's user, inside of the namespaces, to read a device 240:MINOR. */
  private static String readInside(Node node, List<Path> step, int minor) throws Exception {
    Path device = node.top.resolve("device-" + minor);
    Path pins = node.top.resolve("run/containers/42");
    var script =
        new StringBuilder("mknod -m 666 %s c 240 %d >/dev/null; ".formatted(device, minor));
    step.forEach(procs -> script.append("echo 0 >").append(procs).append("; "));
    script.append(
        "exec setpriv --reuid=%1$d --regid=%1$d --clear-groups %2$s --pins %3$s -- bash -c 'exec 3<%4$s'"
            .formatted(OWNER, ENTER, pins, device));
    Process process =
        new ProcessBuilder("bash", "-c", script.toString()).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(1, process.waitFor(), said);
    return said.substring(said.lastIndexOf(':') + 1).strip();
  }

  @OnEachHierarchy
  void noSessionIsPutBesideAContainerThatCannotBeRead(Choice choice) throws Exception {
    try (Node node = new Node(choice, "size=1m")) {
      assertInstanceOf(BeginResult.Begun.class, node.begin(new JobId(42)));
      assertEquals(1, container(node).orElseThrow().namespaceFiles().size());
      Mount.detach(node.top.resolve("run/containers/42/mnt"));
      assertEquals(Optional.empty(), node.rig.jobs().sessionPlace(new JobId(42)));
      node.rig.jobs().end(new JobId(42), new EndOrder("", Duration.ZERO, Rig.LONG));
    }
  }

  private static boolean isEmpty(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins a job, leaves a file in its /tmp, and ends it. */
  private static void round(Node node, int number) throws IOException {
    JobId id = new JobId(number);
    assertInstanceOf(BeginResult.Begun.class, node.begin(id));
    assertTrue(Files.exists(node.top.resolve("run/containers/" + number + "/mnt")));
    Path tmp = node.top.resolve("base/" + number + "/_tmp");
    Files.writeString(Files.createDirectories(tmp.resolve("a/b")).resolve("file"), "left");
    assertInstanceOf(
        EndResult.Clean.class, node.rig.jobs().end(id, new EndOrder("", Duration.ZERO, Rig.LONG)));
  }

  @OnEachHierarchy
  void aJobWhoseContainerCannotBeMadeIsRefusedAndNothingIsLeft(Choice choice) throws Exception {
    try (Node node = new Node(choice, "size=much")) {
      Holdings before = Holdings.of(node);
      var refused = assertInstanceOf(BeginResult.Refused.class, node.begin(new JobId(42)));
      assertEquals(
          "job 42: container: mount tmpfs on /dev/shm: mount(tmpfs on /dev/shm with size=much)"
              + " failed: EINVAL (22)",
          refused.reason());
      assertEquals(List.of(), node.rig.jobs().list());
      assertEquals(List.of(), node.rig.directories(42));
      Holdings after = Holdings.settled(node, before);
      assertEquals(before.mounts(), after.mounts());
      assertEquals(before.directories(), after.directories());
    }
  }
}
