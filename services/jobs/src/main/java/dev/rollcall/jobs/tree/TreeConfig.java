package dev.rollcall.jobs.tree;

import dev.rollcall.linux.systemd.ScopeName;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The configured place of the cgroups of jobs.
 *
 * @param root the directory that gets the scope's; with v1, the one in the freezer hierarchy, whose
 *     path is used in the others too. Absent: the mount itself
 * @param proc where procfs is mounted
 * @param mounts hierarchies that are mounted elsewhere than below this are not seen
 * @param enableAbove whether v2 controllers may be enabled above the scope, from the mount down
 * @param swappiness of jobs, where the hierarchy is v1; empty: the node's
 * @param scope the name of the directory that has those of all jobs
 */
public record TreeConfig(
    Optional<Path> root,
    Choice hierarchy,
    Path proc,
    Path mounts,
    boolean enableAbove,
    OptionalInt swappiness,
    ScopeName scope) {
  /** Which hierarchy tells what a job is. */
  public enum Choice {
    /**
     * The one that the root is in. Without a root the one that can limit: v2 if it has a controller
     * of its own, else v1, else v2 alone.
     */
    AUTO,
    V2,
    V1
  }

  /** Of a node whose hierarchies may be mounted anywhere and are Rollcall's to enable. */
  public TreeConfig(Optional<Path> root, Choice hierarchy, Path proc) {
    this(root, hierarchy, proc, Path.of("/"), true, OptionalInt.empty(), ScopeName.ONLY);
  }
}
