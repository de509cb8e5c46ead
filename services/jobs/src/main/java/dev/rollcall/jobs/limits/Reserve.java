package dev.rollcall.jobs.limits;

import dev.rollcall.jobs.tree.Controller;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.allocation.NumberList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The cores and the memory that are reserved for the system; all jobs together, in their scope,
 * cannot use them.
 *
 * @param cores by the kernel's numbers
 * @param memory bytes
 */
public record Reserve(Optional<NumberList> cores, OptionalLong memory) {
  public static final Reserve NONE = new Reserve(Optional.empty(), OptionalLong.empty());

  /**
   * Holds the scope to it, now or again.
   *
   * @param ramBytes of the node
   * @param own lists of v1 cpusets that are not their parent's
   * @throws IOException naming what cannot be: a missing controller, a file and its value, or a
   *     reserve that leaves jobs nothing
   */
  public void hold(JobTree tree, long ramBytes, Map<Path, NumberList> own) throws IOException {
    if (cores.isPresent()) {
      Hierarchy hierarchy = tree.with(Controller.CPUSET, tree.identity().scope());
      NumberList left = left(hierarchy, cores.get());
      var setting = new Setting(Controller.CPUSET, "cpuset.cpus", left.text(), Setting.Kind.LIST);
      if (!setting.isIn(hierarchy.scope().read(setting.file()))) {
        if (hierarchy.v2()) {
          hierarchy.scope().write(setting.file(), setting.value());
        } else {
          new CpusetTree(hierarchy.scope(), setting.file(), own).change(left);
        }
      }
    }
    if (memory.isPresent()) {
      long left = ramBytes - memory.getAsLong();
      if (left <= 0) {
        throw new IOException(
            "system_memory " + memory.getAsLong() + " leaves jobs none of " + ramBytes + " bytes");
      }
      Hierarchy hierarchy = tree.with(Controller.MEMORY, tree.identity().scope());
      String file = hierarchy.v2() ? "memory.max" : "memory.limit_in_bytes";
      var setting = new Setting(Controller.MEMORY, file, Long.toString(left), Setting.Kind.BYTES);
      if (!setting.isIn(hierarchy.scope().read(file))) {
        hierarchy.scope().write(file, setting.value());
      }
    }
  }

  private static NumberList left(Hierarchy hierarchy, NumberList cores) throws IOException {
    CgroupDirectory above = new CgroupDirectory(hierarchy.scope().path().resolveSibling("."));
    String effective = "cpuset.cpus.effective";
    String has = above.read(above.has(effective) ? effective : "cpuset.cpus");
    BitSet left = new NumberList(has).numbers();
    left.andNot(cores.numbers());
    if (left.isEmpty()) {
      throw new IOException("system_cores " + cores + " leaves jobs none of " + has);
    }
    return new NumberList(
        left.stream().mapToObj(Integer::toString).collect(Collectors.joining(",")));
  }
}
