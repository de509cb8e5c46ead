package dev.rollcall.jobs.container;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A job's cgroups, one in each hierarchy, for a container that isolates more than mounts.
 *
 * @param roots the cgroup.procs files of the job's own cgroups, which can hold a process yet
 * @param leaves the same of those for a process of the container's
 * @param shown the directories of the job's own cgroups, each with where its hierarchy is mounted
 */
public record OwnCgroups(List<Path> roots, List<Path> leaves, Map<Path, Path> shown) {
  /** For a container that has no need of them. */
  public static final OwnCgroups NONE = new OwnCgroups(List.of(), List.of(), Map.of());

  public OwnCgroups {
    roots = List.copyOf(roots);
    leaves = List.copyOf(leaves);
    shown = Map.copyOf(shown);
  }
}
