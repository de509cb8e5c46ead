package dev.rollcall.lab.machine;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The ways in which systemd mounts the cgroups; its version 252, Debian 12's, still has all three.
 */
public enum CgroupMounting {
  /** Version 2 alone, with every controller. */
  V2("systemd.unified_cgroup_hierarchy=1"),
  /** The controllers by version 1, and a version 2 without any for systemd itself. */
  HYBRID("systemd.unified_cgroup_hierarchy=0"),
  /** Version 1 alone. */
  V1("systemd.unified_cgroup_hierarchy=0 systemd.legacy_systemd_cgroup_controller=1");

  private final String words;

  CgroupMounting(String words) {
    this.words = words;
  }

  public String kernelWords() {
    return words;
  }

  /** By its name in lower case. */
  public static CgroupMounting named(String name) {
    return Arrays.stream(values())
        .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(() ->
            new VmException(
                "no cgroup hierarchy '%s': %s"
                    .formatted(
                        name,
                        Arrays.stream(values())
                            .map(one -> one.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", ")))));
  }
}
