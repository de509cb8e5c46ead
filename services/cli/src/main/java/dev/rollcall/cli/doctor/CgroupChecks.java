package dev.rollcall.cli.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks the cgroup hierarchies. */
public final class CgroupChecks {
  private static final Set<String> WANTED = Set.of("cpu", "cpuset", "memory", "pids", "io");

  private CgroupChecks() {}

  /**
   * @param mounts the lines of {@code /proc/self/mounts}
   * @param controllers of the v2 mount's {@code cgroup.controllers}
   */
  public static List<Finding> of(List<String> mounts, Seen<String> controllers) {
    List<String> types = mounts.stream().map(line -> line.split(" ", -1)[2]).toList();
    boolean v2 = types.contains("cgroup2");
    boolean v1 = types.contains("cgroup");
    List<Finding> found = new ArrayList<>();
    found.add(layout(v1, v2));
    if (v2) {
      found.add(controllers.finding("cgroup.controllers", text -> controllers(text, v1)));
    }
    return found;
  }

  private static Finding layout(boolean v1, boolean v2) {
    String id = "cgroup.layout";
    if (v2) {
      return Finding.good(id, v1 ? "cgroups are mounted hybrid: v2 and v1" : "cgroups are v2");
    }
    return v1
        ? Finding.warning(
            id,
            "cgroups are v1: processes outside their job are not detected, and a job's processes"
                + " are frozen before they are killed",
            "mount cgroup v2 (systemd.unified_cgroup_hierarchy=1), if the site can")
        : Finding.bad(id, "no cgroup hierarchy is mounted", "mount cgroup2 at /sys/fs/cgroup");
  }

  private static Finding controllers(String text, boolean v1) {
    String id = "cgroup.controllers";
    var missing = new TreeSet<>(WANTED);
    Arrays.asList(text.strip().split("\\s+", -1)).forEach(missing::remove);
    if (missing.isEmpty()) {
      return Finding.good(id, "v2 has all controllers by which jobs are limited");
    }
    return Finding.warning(
        id,
        "v2 lacks the controllers "
            + String.join(", ", missing)
            + (v1 ? ": they are in v1, if anywhere" : ""),
        "give them to v2 (kernel option cgroup_no_v1=all), or set no such limits");
  }
}
