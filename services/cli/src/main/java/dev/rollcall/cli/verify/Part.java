package dev.rollcall.cli.verify;

import dev.rollcall.model.Worded;

/** A part of the comparison. */
public enum Part implements Worded {
  CGROUP,
  LIMITS,
  RLIMITS,
  DEVICES,
  ENVIRONMENT,
  GROUPS,
  NAMESPACES
}
