package dev.rollcall.jobs;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where native jobs live.
 *
 * @param cgroupRoot the directory that gets {@code rollcall.scope}; with v1, the one in the freezer
 *     hierarchy, whose path is used in the others too. Absent: the mount itself
 * @param stateDirectory holds the journal; made if missing
 * @param bootId of this boot: {@code /proc/sys/kernel/random/boot_id}
 * @param proc where procfs is mounted
 */
public record NativeJobsConfig(
    Optional<Path> cgroupRoot, Choice hierarchy, Path stateDirectory, String bootId, Path proc) {
  /** Which hierarchy tells what a job is. */
  public enum Choice {
    /** v2 where it is mounted, also beside v1; else v1. */
    AUTO,
    V2,
    V1
  }

  public NativeJobsConfig {
    requireNonNull(cgroupRoot, "cgroupRoot");
    requireNonNull(hierarchy, "hierarchy");
    requireNonNull(stateDirectory, "stateDirectory");
    requireNonNull(proc, "proc");
    if (!bootId.matches("[A-Za-z0-9-]{1,64}")) {
      throw new IllegalArgumentException("'" + bootId + "' is not a boot id");
    }
  }

  /** With procfs where it always is. */
  public NativeJobsConfig(
      Optional<Path> cgroupRoot, Choice hierarchy, Path stateDirectory, String bootId) {
    this(cgroupRoot, hierarchy, stateDirectory, bootId, Path.of("/proc"));
  }
}
