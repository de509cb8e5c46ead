package dev.rollcall.jobs;

import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.limits.Reserve;
import dev.rollcall.jobs.limits.SiteRules;
import dev.rollcall.jobs.tree.TreeConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The paths and names of native jobs.
 *
 * @param stateDirectory holds the journal; made if missing
 * @param bootId of this boot: {@code /proc/sys/kernel/random/boot_id}
 * @param site what the site's configuration makes of limits
 * @param ends rules for the end of sessions and jobs
 * @param containers of the jobs; empty: there are none and never were
 * @param owners maps a subordinate uid to its owner, and another uid to itself
 */
public record NativeJobsConfig(
    TreeConfig tree,
    Path stateDirectory,
    String bootId,
    Site site,
    EndRules ends,
    Optional<ContainersConfig> containers,
    IntUnaryOperator owners) {
  /**
   * What the site's configuration makes of limits.
   *
   * @param reserve kept back for the system
   * @param ramBytes of the node
   */
  public record Site(SiteRules rules, Reserve reserve, long ramBytes) {
    /** Jobs are given what is asked, and may use the whole node. */
    public static final Site OPEN = new Site(SiteRules.AS_ASKED, Reserve.NONE, Long.MAX_VALUE);
  }

  public NativeJobsConfig {
    if (!bootId.matches("[A-Za-z0-9-]{1,64}")) {
      throw new IllegalArgumentException("'" + bootId + "' is not a boot id");
    }
  }

  /** Of a site that says nothing about limits. */
  public NativeJobsConfig(TreeConfig tree, Path stateDirectory, String bootId) {
    this(tree, stateDirectory, bootId, Site.OPEN);
  }

  /** With the usual rules for ends, and without containers. */
  public NativeJobsConfig(TreeConfig tree, Path stateDirectory, String bootId, Site site) {
    this(tree, stateDirectory, bootId, site, EndRules.DEFAULTS, Optional.empty(), uid -> uid);
  }

  /** The same jobs, with other rules for ends. */
  public NativeJobsConfig with(EndRules other) {
    return new NativeJobsConfig(tree, stateDirectory, bootId, site, other, containers, owners);
  }

  /** The same jobs, with containers. */
  public NativeJobsConfig with(ContainersConfig contained) {
    return new NativeJobsConfig(
        tree, stateDirectory, bootId, site, ends, Optional.of(contained), owners);
  }

  /** The same jobs, where uids count for these owners. */
  public NativeJobsConfig withOwners(IntUnaryOperator others) {
    return new NativeJobsConfig(tree, stateDirectory, bootId, site, ends, containers, others);
  }
}
