package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Names the bound because of which the kernel makes no cgroup (EAGAIN, cgroup-v2.rst). */
final class CgroupBounds {
  private static final String DESCENDANTS = "cgroup.max.descendants";
  private static final String DEPTH = "cgroup.max.depth";

  private CgroupBounds() {}

  /**
   * Completes the failure to make a directory: with the nearest cgroup above whose bound is
   * reached, if there is one.
   */
  static IOException of(CgroupDirectory wanted, IOException failure) {
    int level = 0;
    for (CgroupDirectory above : wanted.above(Path.of("/"))) {
      if (above.exists()) {
        Optional<String> bound = reached(above, ++level);
        if (bound.isPresent()) {
          return new IOException("no cgroup can be made: " + bound.get(), failure);
        }
      }
    }
    return failure;
  }

  /**
   * As cgroup_check_hierarchy_limits in kernel/cgroup/cgroup.c.
   *
   * @param level of the new cgroup below this one
   */
  private static Optional<String> reached(CgroupDirectory cgroup, int level) {
    var files = new CgroupFiles(List.of(cgroup));
    OptionalLong most = files.number(DESCENDANTS);
    OptionalLong deepest = files.number(DEPTH);
    long there = files.keyed("cgroup.stat", "nr_descendants").orElse(0);
    if (most.isPresent() && there >= most.getAsLong()) {
      return Optional.of(
          "%s has %d cgroups, the most that its %s allows".formatted(cgroup, there, DESCENDANTS));
    }
    return deepest.isPresent() && level > deepest.getAsLong()
        ? Optional.of(
            "%s may have %d levels of cgroups (its %s)"
                .formatted(cgroup, deepest.getAsLong(), DEPTH))
        : Optional.empty();
  }
}
