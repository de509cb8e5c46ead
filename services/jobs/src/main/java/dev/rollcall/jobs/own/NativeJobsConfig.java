package dev.rollcall.jobs.own;

import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.limits.Reserve;
import dev.rollcall.jobs.limits.SiteRules;
import dev.rollcall.jobs.tree.TreeConfig;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;

/**
 * The paths and names of native jobs.
 *
 * @param stateDirectory holds the journal; made if missing
 * @param bootId of this boot: {@code /proc/sys/kernel/random/boot_id}
 * @param site what the site's configuration makes of limits
 * @param ends rules for the end of sessions and jobs
 * @param containers of the jobs
 * @param owners maps a subordinate uid to its owner, and another uid to itself
 */
public record NativeJobsConfig(
    TreeConfig tree,
    Path stateDirectory,
    String bootId,
    Site site,
    EndRules ends,
    ContainersConfig containers,
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
}
