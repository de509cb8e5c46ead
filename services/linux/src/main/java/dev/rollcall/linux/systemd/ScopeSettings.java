package dev.rollcall.linux.systemd;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings by which the scope of the jobs is made. In Slurm's cgroup.conf these are
 * IgnoreSystemd, IgnoreSystemdOnFailure, CgroupSlice and SystemdTimeout.
 *
 * @param slice where the scope stands; absent: {@link SliceName#SYSTEM} on a node that systemd
 *     runs, else the root
 * @param timeout for systemd's answer, and again for the scope's directory with the keeper in it
 */
public record ScopeSettings(
    Use use, OnFailure onFailure, Optional<SliceName> slice, Duration timeout) {
  /** Whether systemd is asked for the scope. */
  public enum Use {
    /** Where systemd runs the node, sd_booted(3). */
    AUTO,
    ON,
    /** The directory is just made: IgnoreSystemd. */
    OFF
  }

  /** What is done when systemd does not give the scope. */
  public enum OnFailure {
    FAIL,
    /** The directory is made without it: IgnoreSystemdOnFailure. */
    WITHOUT
  }

  public static final ScopeSettings DEFAULTS =
      new ScopeSettings(Use.AUTO, OnFailure.FAIL, Optional.empty(), Duration.ofSeconds(5));

  public ScopeSettings {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a timeout of " + timeout + " is none");
    }
  }
}
