package dev.rollcall.jobs.tree;

import dev.rollcall.linux.cgroup.CgroupDirectory;
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

/**
 * Where the cgroups of jobs stand: {@code <root>/rollcall.scope/job_<id>/step_<name>/user/<leaf>},
 * alike in every hierarchy in use. The first hierarchy is the one that tells which job a process is
 * in: v2, or the v1 freezer, which also stops and so kills.
 */
public record JobTree(List<Hierarchy> hierarchies, JobPath path) {
  public static final String SCOPE = "rollcall.scope";

  /** The v1 hierarchies that are used besides the freezer's, where they are mounted. */
  private static final List<String> ALSO_V1 = List.of("memory", "cpuacct", "pids");

  public JobTree {
    hierarchies = List.copyOf(hierarchies);
  }

  /** Finds the hierarchies and makes the scope's directory in each. */
  public static JobTree open(TreeConfig config) throws IOException {
    CgroupMounts mounts = CgroupMounts.read(config.proc());
    boolean v2 =
        switch (config.hierarchy()) {
          case AUTO -> mounts.v2().isPresent();
          case V2 -> true;
          case V1 -> false;
        };
    List<Hierarchy> found = v2 ? List.of(v2(config, mounts)) : v1(config, mounts);
    for (Hierarchy hierarchy : found) {
      hierarchy.scope().create();
    }
    Hierarchy identity = found.getFirst();
    return new JobTree(found, new JobPath(identity.pathOf(identity.scope())));
  }

  private static Hierarchy v2(TreeConfig config, CgroupMounts mounts) throws IOException {
    CgroupMount mount = mounts.v2().orElseThrow(() -> new IOException("cgroup2 is not mounted"));
    return new Hierarchy(ProcessCgroups.V2, mount, scope(config.root().orElse(mount.point())));
  }

  private static List<Hierarchy> v1(TreeConfig config, CgroupMounts mounts) throws IOException {
    CgroupMount freezer =
        mounts
            .v1("freezer")
            .orElseThrow(() -> new IOException("the v1 freezer hierarchy is not mounted"));
    Path root = config.root().orElse(freezer.point());
    String below = freezer.pathOf(root);
    List<Hierarchy> found = new ArrayList<>();
    found.add(new Hierarchy("freezer", freezer, scope(root)));
    // Controllers may be mounted together, as cpu,cpuacct is: one directory serves both.
    Set<Path> seen = new HashSet<>(Set.of(freezer.point()));
    for (String controller : ALSO_V1) {
      Optional<CgroupMount> mount = mounts.v1(controller);
      if (mount.isPresent() && seen.add(mount.get().point())) {
        Path there = mount.get().directoryOf(below);
        found.add(new Hierarchy(controller, mount.get(), scope(there)));
      }
    }
    return found;
  }

  private static CgroupDirectory scope(Path root) {
    return new CgroupDirectory(root.resolve(SCOPE));
  }

  /** The hierarchy that tells which job a process is in. */
  public Hierarchy identity() {
    return hierarchies.getFirst();
  }

  /** The step of a process with these cgroups. */
  public Optional<JobStep> stepOf(ProcessCgroups cgroups) {
    return cgroups.in(identity().name()).flatMap(path::jobStepOf);
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
