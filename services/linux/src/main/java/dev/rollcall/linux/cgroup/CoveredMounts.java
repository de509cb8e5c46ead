package dev.rollcall.linux.cgroup;

import dev.rollcall.linux.mount.MountPoints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds mounts that no path leads to, because others are mounted over them or over a directory
 * above. Their order in {@code /proc/PID/mountinfo} does not tell: a root file system that took the
 * place of an initramfs comes after what was moved into it.
 */
final class CoveredMounts {
  private static final String TOP = "";
  private static final int FIELDS = 6;

  /** The mounts of a place, by the mount that it is in. */
  private final Map<Place, String> mounted = new HashMap<>();

  private record Place(String parent, String point) {}

  private record Line(String id, String parent, String point) {}

  /** Reads lines of {@code /proc/PID/mountinfo}, proc_pid_mountinfo(5). */
  CoveredMounts(List<String> lines) {
    var read = new ArrayList<Line>();
    Set<String> ids = new HashSet<>();
    for (String line : lines) {
      String[] fields = line.split(" ", FIELDS);
      if (fields.length == FIELDS) {
        read.add(new Line(fields[0], fields[1], MountPoints.unescaped(fields[4])));
        ids.add(fields[0]);
      }
    }
    for (Line line : read) {
      // What the parent of the first mount is, is not in the table, or it is its own.
      boolean first = line.parent().equals(line.id()) || !ids.contains(line.parent());
      mounted.put(new Place(first ? TOP : line.parent(), line.point()), line.id());
    }
  }

  /** Whether no path leads to the mount of this line. A line that cannot be read has none. */
  boolean isCovered(String line) {
    String[] fields = line.split(" ", FIELDS);
    return fields.length < FIELDS || !fields[0].equals(at(MountPoints.unescaped(fields[4])));
  }

  /** The id of the mount in which a path ends: path_resolution(7). */
  private String at(String path) {
    String in = topmost(TOP, "/");
    int end = 0;
    do {
      end = path.indexOf('/', end + 1);
      in = topmost(in, end < 0 ? path : path.substring(0, end));
    } while (end >= 0);
    return in;
  }

  /** The mount that is on top at a place in another one. No table has more than all of its own. */
  private String topmost(String in, String point) {
    String found = in;
    for (int left = mounted.size(); left > 0; left--) {
      String next = mounted.get(new Place(found, point));
      if (next == null || Objects.equals(next, found)) {
        return found;
      }
      found = next;
    }
    return found;
  }
}
