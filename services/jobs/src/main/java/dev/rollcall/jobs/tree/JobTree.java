package dev.rollcall.jobs.tree;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupFiles;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The paths of the cgroups of jobs: {@code <root>/rollcall.scope/job_<id>/step_<name>/user/<leaf>},
 * the same in every hierarchy in use. The first hierarchy defines which job a process is in: v2, or
 * the v1 freezer, which also freezes processes before they are killed.
 *
 * @param enableAbove whether v2 controllers may be enabled above the scope
 */
public record JobTree(List<Hierarchy> hierarchies, JobPath path, boolean enableAbove) {
  private static final System.Logger LOG = System.getLogger(JobTree.class.getName());

  /** The v1 hierarchies that are used besides the freezer's, where they are mounted. */
  private static final List<String> ALSO_V1 =
      List.of("memory", "cpuacct", "pids", "cpu", "cpuset", "blkio", "devices", "hugetlb");

  public JobTree {
    hierarchies = List.copyOf(hierarchies);
  }

  /** Finds the hierarchies and makes the scope's directory in each. */
  public static JobTree open(TreeConfig config) throws IOException {
    CgroupMounts mounts = below(config.mounts(), CgroupMounts.read(config.proc()));
    List<Hierarchy> found =
        choosesV2(config, mounts) ? List.of(v2(config, mounts)) : v1(config, mounts);
    for (Hierarchy hierarchy : found) {
      hierarchy.make(hierarchy.scope());
    }
    Hierarchy identity = found.getFirst();
    var tree =
        new JobTree(found, new JobPath(identity.pathOf(identity.scope())), config.enableAbove());
    tree.prepare();
    if (config.swappiness().isPresent()) {
      tree.swappiness(config.swappiness().getAsInt());
    }
    return tree;
  }

  /**
   * Whether v2 is used of these mounts.
   *
   * @throws IOException if nothing that could be chosen is mounted
   */
  public static boolean choosesV2(TreeConfig config, CgroupMounts mounts) throws IOException {
    return switch (config.hierarchy()) {
      case AUTO -> better(config.root(), mounts);
      case V2 -> true;
      case V1 -> false;
    };
  }

  private static CgroupMounts below(Path point, CgroupMounts mounts) {
    return new CgroupMounts(
        mounts.all().stream().filter(mount -> mount.point().startsWith(point)).toList());
  }

  private static boolean better(Optional<Path> root, CgroupMounts mounts) throws IOException {
    Optional<CgroupMount> v2 = mounts.v2();
    boolean v1 = mounts.v1("freezer").isPresent();
    if (v2.isEmpty() && !v1) {
      throw new IOException("neither cgroup2 nor the v1 freezer hierarchy is mounted");
    }
    if (v2.isEmpty() || !v1) {
      return v2.isPresent();
    }
    Path point = v2.get().point();
    return root.map(path -> path.normalize().startsWith(point)).orElse(limits(point));
  }

  /** A hybrid's v2 has those controllers that v1 left over, which may be one that limits little. */
  private static boolean limits(Path point) throws IOException {
    var top = new CgroupDirectory(point);
    List<String> has =
        top.has("cgroup.controllers")
            ? List.of(top.read("cgroup.controllers").split(" ", -1))
            : List.of();
    return has.contains("memory") || has.contains("cpu") || has.contains("pids");
  }

  /** A v1 cgroup begins with its parent's swappiness (mem_cgroup_css_alloc of Linux). */
  private void swappiness(int value) throws IOException {
    if (identity().v2()) {
      LOG.log(WARNING, "MemorySwappiness has no effect: cgroup v2 has no such file");
      return;
    }
    for (Hierarchy hierarchy : hierarchies) {
      if (hierarchy.mount().controllers().contains("memory")) {
        hierarchy.scope().write("memory.swappiness", Integer.toString(value));
      }
    }
  }

  /**
   * Logs controllers that cannot be enabled once; a request for such a limit fails with the reason.
   */
  private void prepare() {
    Hierarchy identity = identity();
    try {
      if (identity.v2()) {
        new Enabling(identity, enableAbove).prepareScope();
      }
    } catch (IOException e) {
      LOG.log(WARNING, "accounting is incomplete: {0}", e.getMessage());
    }
    List<String> missing = new ArrayList<>();
    for (Controller controller : Controller.values()) {
      try {
        with(controller, identity.scope());
      } catch (IOException e) {
        missing.add(identity.v2() ? controller.v2() : controller.v1());
      }
    }
    if (!missing.isEmpty()) {
      LOG.log(
          WARNING,
          "no controllers {0} for {1}: limits by them will be refused",
          String.join(", ", missing),
          identity.scope());
    }
  }

  /**
   * The hierarchy whose directories have a controller's files. In v2 it is enabled down to the
   * directory, if it was not.
   *
   * @param identity a directory in the identity's hierarchy, which exists
   * @throws MissingControllerException saying where it is missing
   */
  public Hierarchy with(Controller controller, CgroupDirectory identity) throws IOException {
    if (identity().v2()) {
      new Enabling(identity(), enableAbove).enable(controller, identity);
      return identity();
    }
    return hierarchies.stream()
        .filter(hierarchy -> hierarchy.mount().controllers().contains(controller.v1()))
        .findFirst()
        .orElseThrow(() ->
            new MissingControllerException(controller.v1(), "no v1 hierarchy with it is mounted"));
  }

  /** Makes a directory that holds others, never processes, in one hierarchy. */
  void makeInner(Hierarchy hierarchy, CgroupDirectory directory) throws IOException {
    hierarchy.make(directory);
    if (hierarchy.v2()) {
      var enabling = new Enabling(hierarchy, enableAbove);
      for (CgroupDirectory each : directory.above(hierarchy.scope().path()).reversed()) {
        enabling.passOnStanding(each);
      }
      enabling.passOnStanding(directory);
    }
  }

  private static Hierarchy v2(TreeConfig config, CgroupMounts mounts) throws IOException {
    CgroupMount mount = mounts.v2().orElseThrow(() -> new IOException("cgroup2 is not mounted"));
    return new Hierarchy(
        ProcessCgroups.V2, mount, scope(config, config.root().orElse(mount.point())));
  }

  private static List<Hierarchy> v1(TreeConfig config, CgroupMounts mounts) throws IOException {
    CgroupMount freezer =
        mounts
            .v1("freezer")
            .orElseThrow(() -> new IOException("the v1 freezer hierarchy is not mounted"));
    Path root = config.root().orElse(freezer.point());
    String below = freezer.pathOf(root);
    List<Hierarchy> found = new ArrayList<>();
    found.add(new Hierarchy("freezer", freezer, scope(config, root)));
    // Controllers may be mounted together, as cpu,cpuacct is: one directory serves both.
    Set<Path> seen = new HashSet<>(Set.of(freezer.point()));
    for (String controller : ALSO_V1) {
      Optional<CgroupMount> mount = mounts.v1(controller);
      if (mount.isPresent() && seen.add(mount.get().point())) {
        Path there = mount.get().directoryOf(below);
        found.add(new Hierarchy(controller, mount.get(), scope(config, there)));
      }
    }
    return found;
  }

  private static CgroupDirectory scope(TreeConfig config, Path root) {
    return new CgroupDirectory(root.resolve(config.scope().text()));
  }

  /** The hierarchy that defines which job a process is in. */
  public Hierarchy identity() {
    return hierarchies.getFirst();
  }

  /** The files of one cgroup in all hierarchies. */
  public CgroupFiles files(Function<Hierarchy, CgroupDirectory> directory) {
    return new CgroupFiles(hierarchies.stream().map(directory).toList());
  }

  /** The step of a process with these cgroups. */
  public Optional<JobStep> stepOf(ProcessCgroups cgroups) {
    return cgroups.in(identity().name()).flatMap(path::jobStepOf);
  }

  /** The name of the leaf of this step that a process with these cgroups is in or below. */
  public Optional<String> leafOf(JobStep step, ProcessCgroups cgroups) {
    String above = identity().pathOf(identity().user(step)) + "/";
    return cgroups
        .in(identity().name())
        .filter(path -> path.startsWith(above))
        .map(path -> path.substring(above.length()).split("/", 2)[0]);
  }

  /** The jobs that have a directory in any hierarchy. */
  public Set<JobId> directories() throws IOException {
    Set<JobId> jobs = new HashSet<>();
    for (Hierarchy hierarchy : hierarchies) {
      for (CgroupDirectory child : hierarchy.scope().children()) {
        JobPath.jobOf(String.valueOf(child.path().getFileName())).ifPresent(jobs::add);
      }
    }
    return jobs;
  }
}
