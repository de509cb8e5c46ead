package dev.rollcall.cli.verify;

import java.util.Locale;

/** A part of the comparison. */
public enum Part {
  CGROUP,
  LIMITS,
  RLIMITS,
  DEVICES,
  ENVIRONMENT,
  GROUPS,
  NAMESPACES;

  /** As it is written outside. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
