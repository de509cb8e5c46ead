package dev.rollcall.jobs;

import static java.util.Objects.requireNonNull;

import dev.rollcall.jobs.tree.TreeConfig;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where native jobs live.
 *
 * @param stateDirectory holds the journal; made if missing
 * @param bootId of this boot: {@code /proc/sys/kernel/random/boot_id}
 */
public record NativeJobsConfig(TreeConfig tree, Path stateDirectory, String bootId) {
  public NativeJobsConfig {
    requireNonNull(tree, "tree");
    requireNonNull(stateDirectory, "stateDirectory");
    if (!bootId.matches("[A-Za-z0-9-]{1,64}")) {
      throw new IllegalArgumentException("'" + bootId + "' is not a boot id");
    }
  }

  /** With procfs where it always is. */
  public NativeJobsConfig(
      Optional<Path> cgroupRoot, TreeConfig.Choice hierarchy, Path stateDirectory, String bootId) {
    this(new TreeConfig(cgroupRoot, hierarchy, Path.of("/proc")), stateDirectory, bootId);
  }
}
