package dev.rollcall.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what the kernel says of a process's cgroup. */
public final class Cgroups {
  private Cgroups() {}

  /** The text of a /proc/PID/cgroup; empty if the process is gone. */
  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /** The text of a process's /proc/PID/cgroup; empty if the process is gone. */
  public static String of(long pid) {
    return read(Path.of("/proc/" + pid + "/cgroup"));
  }

  /**
   * The path in the cgroup2 hierarchy ("0::" in /proc/PID/cgroup), relative to a cgroup of the
   * mount; empty when the process is not below it.
   */
  public static String below(Path cgroup, String procCgroup) {
    String root = "/" + CgroupTree.mount().relativize(cgroup);
    return procCgroup
        .lines()
        .filter(line -> line.startsWith("0::" + root + "/"))
        .map(line -> line.substring(3 + root.length() + 1))
        .findFirst()
        .orElse("");
  }
}
