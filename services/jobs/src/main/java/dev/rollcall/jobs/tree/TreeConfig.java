package dev.rollcall.jobs.tree;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the cgroups of jobs are to stand.
 *
 * @param root the directory that gets {@link JobTree#SCOPE}; with v1, the one in the freezer
 *     hierarchy, whose path is used in the others too. Absent: the mount itself
 * @param proc where procfs is mounted
 */
public record TreeConfig(Optional<Path> root, Choice hierarchy, Path proc) {
  /** Which hierarchy tells what a job is. */
  public enum Choice {
    /** v2 where it is mounted, also beside v1; else v1. */
    AUTO,
    V2,
    V1
  }

  public TreeConfig {
    requireNonNull(root, "root");
    requireNonNull(hierarchy, "hierarchy");
    requireNonNull(proc, "proc");
  }
}
