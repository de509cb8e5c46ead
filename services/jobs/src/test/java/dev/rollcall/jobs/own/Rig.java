package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Native jobs in a real cgroup of their own, and processes to put into them. Leaves nothing. */
final class Rig implements AutoCloseable {
  static final int ALICE = 1001;
  static final int SUBORDINATE = 300_000;
  static final Duration LONG = Duration.ofSeconds(20);
  static final String BOOT = "11111111-2222-3333-4444-555555555555";
  static final Proc PROC = new Proc(Path.of("/proc"));
  private static final List<String> V1 =
      List.of(
          "freezer", "memory", "cpuacct", "pids", "cpu", "cpuset", "blkio", "devices", "hugetlb");
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final Choice choice;
  private final NativeJobsConfig.Site site;
  final Path state;
  final List<CgroupDirectory> roots = new ArrayList<>();
  private final List<Process> started = new ArrayList<>();
  private NativeJobs jobs;

  /** The versions of this machine that decide about devices. */
  static List<Choice> choices() {
    try {
      CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
      List<Choice> choices = new ArrayList<>();
      mounts.v2().ifPresent(_ -> choices.add(Choice.V2));
      mounts.v1("devices").ifPresent(_ -> choices.add(Choice.V1));
      return choices;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Rig(Choice choice) {
    this(choice, NativeJobsConfig.Site.OPEN);
  }

  /** In the hierarchies of this machine that have controllers. */
  static Rig thatLimits(NativeJobsConfig.Site site) {
    try {
      boolean v1 = CgroupMounts.read(Path.of("/proc")).v1("memory").isPresent();
      return new Rig(v1 ? Choice.V1 : Choice.V2, site);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Rig(Choice choice, NativeJobsConfig.Site site) {
    this.site = site;
    try {
      this.choice = choice;
      state = Files.createTempDirectory("rollcall-jobs");
      CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
      String name = "rollcall-jobs-test-%d-%d".formatted(pid(), NUMBER.incrementAndGet());
      if (choice == Choice.V2) {
        roots.add(new CgroupDirectory(mounts.v2().orElseThrow().point().resolve(name)));
      } else {
        for (String controller : V1) {
          mounts
              .v1(controller)
              .map(mount -> new CgroupDirectory(mount.point().resolve(name)))
              .filter(root -> !roots.contains(root))
              .ifPresent(roots::add);
        }
      }
      for (CgroupDirectory root : roots) {
        root.create();
      }
      jobs = NativeJobs.open(config(tree(), state, BOOT, site));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether this machine's hierarchies of this choice have the memory controller. */
  boolean limits() {
    try {
      CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
      return choice == Choice.V1
          ? mounts.v1("memory").isPresent()
          : new CgroupDirectory(mounts.v2().orElseThrow().point())
              .read("cgroup.controllers")
              .contains("memory");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What this machine has: v2, with or without controllers, and v1 where it is a node's, with the
   * memory controller among it.
   */
  static List<Choice> hierarchies() throws IOException {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    var here = new ArrayList<Choice>();
    mounts.v2().ifPresent(_ -> here.add(Choice.V2));
    mounts.v1("memory").ifPresent(_ -> here.add(Choice.V1));
    return here;
  }

  static long pid() {
    return ProcessHandle.current().pid();
  }

  TreeConfig tree() {
    return new TreeConfig(Optional.of(roots.getFirst().path()), choice, Path.of("/proc"));
  }

  /** Of a site that has no rules for ends and no containers. */
  static NativeJobsConfig config(
      TreeConfig tree, Path state, String bootId, NativeJobsConfig.Site site) {
    return config(tree, state, bootId, site, EndRules.DEFAULTS, noContainers(state));
  }

  private static NativeJobsConfig config(
      TreeConfig tree,
      Path state,
      String bootId,
      NativeJobsConfig.Site site,
      EndRules ends,
      ContainersConfig containers) {
    return new NativeJobsConfig(tree, state, bootId, site, ends, containers, Rig::owner);
  }

  /** ALICE has 65,536 subordinate uids. */
  private static int owner(int uid) {
    return uid >= SUBORDINATE && uid < SUBORDINATE + 65_536 ? ALICE : uid;
  }

  private static ContainersConfig noContainers(Path state) {
    return new ContainersConfig(
        Optional.empty(), Map.of(), "node1", BOOT, state.resolve("run"), state, _ -> "", _ -> {});
  }

  NativeJobs jobs() {
    return jobs;
  }

  /** Another agent in the place of this one. */
  NativeJobs reopen(String bootId) throws IOException {
    return reopen(config(tree(), state, bootId, site));
  }

  /** Another agent, with another configuration. */
  NativeJobs reopen(NativeJobsConfig.Site changed) throws IOException {
    return reopen(config(tree(), state, BOOT, changed));
  }

  /** Another agent, with another configuration. */
  NativeJobs reopen(EndRules ends) throws IOException {
    return reopen(config(tree(), state, BOOT, site, ends, noContainers(state)));
  }

  /** Another agent, which sets the swappiness of jobs. */
  NativeJobs reopen(OptionalInt swappiness) throws IOException {
    TreeConfig was = tree();
    var tree =
        new TreeConfig(
            was.root(),
            was.hierarchy(),
            was.proc(),
            was.mounts(),
            was.enableAbove(),
            swappiness,
            was.scope());
    return reopen(config(tree, state, BOOT, site));
  }

  /** Another agent, whose jobs have containers. */
  NativeJobs reopen(ContainersConfig containers) throws IOException {
    return reopen(config(tree(), state, BOOT, site, EndRules.DEFAULTS, containers));
  }

  private NativeJobs reopen(NativeJobsConfig config) throws IOException {
    jobs.close();
    jobs = NativeJobs.open(config);
    return jobs;
  }

  Job begin(long id) {
    JobSpec spec = new JobSpec(new JobId(id), ALICE, ALICE, Instant.parse("2026-11-20T12:00:00Z"));
    return assertInstanceOf(BeginResult.Begun.class, jobs.begin(spec)).job();
  }

  /** Adopts into a job that {@link #begin} began. */
  AdoptResult adopt(PinnedProcess process, JobId into) {
    return jobs.adopt(process, into, ALICE);
  }

  /** The scope's directory in the hierarchy that has this controller. */
  CgroupDirectory scope(String controller) {
    return roots.stream()
        .filter(root ->
            choice == Choice.V2
                || String.valueOf(root.path().getParent()).endsWith("/" + controller))
        .findFirst()
        .orElseThrow()
        .child(ScopeName.ONLY.text());
  }

  /** The job's directory in the hierarchy that tells what a job is. */
  CgroupDirectory job(long id) {
    return roots.getFirst().child(ScopeName.ONLY.text()).child("job_" + id);
  }

  /** Runs a shell script. What it prints is dropped. */
  Process shell(String script) {
    return run("sh", "-c", script);
  }

  /**
   * A shell that has done {@code first}, as setting a trap, when this returns; then {@code then}.
   */
  Process shellThatHas(String first, String then) {
    try {
      Path done = Files.createTempFile("rollcall", "done");
      try {
        Process shell = shell(first + "; echo done > " + done + "; " + then);
        await("the shell has done " + first, () -> done.toFile().length() > 0);
        return shell;
      } finally {
        Files.delete(done);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process run(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      started.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Pidfd pin(Process process) {
    return pin((int) process.pid());
  }

  static Pidfd pin(int pid) {
    try {
      return Pidfd.open(PROC, pid).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A process called sleep that is in no job. */
  Pidfd sleeper() {
    Process process = run("sleep", "600");
    // Until it has executed sleep it is still called as the JVM's thread or its spawn helper.
    await("sleep runs", () -> PROC.command((int) process.pid()).equals("sleep"));
    return pin(process);
  }

  void finish(PinnedProcess process) {
    started.stream()
        .filter(each -> each.pid() == process.ref().pid())
        .forEach(Process::destroyForcibly);
    await("process " + process.ref() + " ended", () -> !process.alive());
    await("and was waited for", () -> PROC.ref(process.ref().pid()).isEmpty());
  }

  CgroupIds cgroupsOf(int pid) {
    String path =
        PROC.cgroups(pid).orElseThrow().in(choice == Choice.V2 ? "" : "freezer").orElseThrow();
    try {
      CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
      Path point = (choice == Choice.V2 ? mounts.v2() : mounts.v1("freezer")).orElseThrow().point();
      long id = new CgroupDirectory(point.resolve(path.substring(1))).id();
      return choice == Choice.V2 ? new CgroupIds(id, 0) : new CgroupIds(0, id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does what the PAM module does for its own process (services/pam/src/move.c). */
  static void moveItself(int pid, SessionPlace place, String leaf) {
    try {
      for (SessionPlace.Cgroup cgroup : place.cgroups()) {
        CgroupDirectory above = new CgroupDirectory(cgroup.directory());
        CgroupDirectory own = above.child(leaf);
        own.create();
        for (String set : List.of("cpuset.cpus", "cpuset.mems")) {
          if (cgroup.hierarchy().equals("cpuset")) {
            own.write(set, above.read(set));
          }
        }
        own.add(pid);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The processes in the whole test's tree, in any hierarchy. */
  List<Integer> pids() {
    return roots.stream().flatMap(root -> pidsBelow(root).stream()).distinct().toList();
  }

  static List<Integer> pidsBelow(CgroupDirectory directory) {
    try {
      return directory.pidsBelow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The job's directories in all hierarchies. */
  List<CgroupDirectory> directories(long id) {
    return roots.stream()
        .map(root -> root.child(ScopeName.ONLY.text()).child("job_" + id))
        .filter(CgroupDirectory::exists)
        .toList();
  }

  /** Waits until something is so, and fails if it does not become so. */
  static void await(String what, BooleanSupplier condition) {
    Await.until(what, LONG, condition);
  }

  @Override
  public void close() {
    try {
      jobs.close();
      started.forEach(Process::destroyForcibly);
      for (CgroupDirectory root : roots) {
        clear(root);
      }
      try (Stream<Path> files = Files.walk(state)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sigkill(int pid, CgroupDirectory in) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(PROC, pid);
    if (pinned.isPresent()) {
      try (Pidfd process = pinned.get()) {
        process.signal(9);
      }
    }
  }

  private static void clear(CgroupDirectory root) throws IOException {
    BoundedWait patience = BoundedWait.of(LONG);
    CgroupRemoval.Outcome outcome;
    do {
      if (root.exists()) {
        CgroupKill.of(root).round(root, Rig::sigkill, patience);
      }
      outcome = CgroupRemoval.remove(root, patience.atMost(Duration.ofMillis(50)));
    } while (!(outcome instanceof CgroupRemoval.Outcome.Removed) && patience.pause());
    assertInstanceOf(CgroupRemoval.Outcome.Removed.class, outcome);
  }
}
