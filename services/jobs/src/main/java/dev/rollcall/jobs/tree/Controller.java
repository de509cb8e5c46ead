package dev.rollcall.jobs.tree;

import java.util.List;
import java.util.Locale;

/** A controller that limits jobs, by the kernel's name, cgroups(7). */
public enum Controller {
  CPU("cpu"),
  CPUSET("cpuset"),
  IO("blkio"),
  MEMORY("memory"),
  PIDS("pids"),
  HUGETLB("hugetlb");

  /**
   * Those that every cgroup of a job has where the node has them: they account for what it used.
   */
  static final List<Controller> STANDING = List.of(MEMORY, PIDS, IO);

  private final String v1;

  Controller(String v1) {
    this.v1 = v1;
  }

  public String v1() {
    return v1;
  }

  public String v2() {
    return name().toLowerCase(Locale.ROOT);
  }
}
