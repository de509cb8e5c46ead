package dev.rollcall.linux.cgroup;

import java.nio.file.Path;
import java.util.Set;

/**
 * A mounted cgroup hierarchy.
 *
 * @param controllers of a v1 hierarchy, a named one as {@code name=systemd}; empty for v2
 * @param point where it is mounted
 * @param root the cgroup that is mounted there, as {@code /proc/PID/cgroup} writes it; "/" but in
 *     containers
 */
public record CgroupMount(boolean v2, Set<String> controllers, Path point, String root) {
  public CgroupMount {
    controllers = Set.copyOf(controllers);
  }

  /**
   * The path that {@code /proc/PID/cgroup} shows for processes of this directory.
   *
   * @throws IllegalArgumentException if the directory is not in this mount
   */
  public String pathOf(Path directory) {
    Path normal = directory.normalize();
    if (!normal.startsWith(point)) {
      throw new IllegalArgumentException(directory + " is not below the cgroup mount " + point);
    }
    String below = point.relativize(normal).toString();
    if (below.isEmpty()) {
      return root;
    }
    return root.equals("/") ? "/" + below : root + "/" + below;
  }

  /**
   * The directory of a path that {@code /proc/PID/cgroup} shows.
   *
   * @throws IllegalArgumentException if the path is outside of what is mounted
   */
  public Path directoryOf(String path) {
    String prefix = root.equals("/") ? "/" : root + "/";
    if (path.equals(root)) {
      return point;
    }
    if (!path.startsWith(prefix)) {
      throw new IllegalArgumentException(
          "cgroup " + path + " is not below " + root + " at " + point);
    }
    return point.resolve(path.substring(prefix.length()));
  }
}
