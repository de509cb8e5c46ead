package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import java.util.ArrayList;
import java.util.List;

/**
 * A path of the node that jobs cannot change, or cannot see.
 *
 * @param mayBeMissing else a job cannot begin on a node that has no such path
 */
public record NarrowedPath(JobPathPattern path, boolean mayBeMissing) {
  /** As systemd.exec(5) has it: a dash goes before a path that may be missing. */
  static NarrowedPath parse(String text) {
    boolean dash = text.startsWith("-");
    return new NarrowedPath(new JobPathPattern(dash ? text.substring(1) : text), dash);
  }

  static List<LocatedValue<NarrowedPath>> list(String text, FilePosition place) {
    List<LocatedValue<NarrowedPath>> all = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      add(all, new LocatedValue<>(parse(one.strip()), place));
    }
    return all;
  }

  /**
   * Adds one to others.
   *
   * @throws IllegalArgumentException if its path is there already
   */
  static void add(List<LocatedValue<NarrowedPath>> all, LocatedValue<NarrowedPath> one) {
    JobPathPattern path = one.value().path;
    if (all.stream().anyMatch(other -> other.value().path.equals(path))) {
      throw new IllegalArgumentException("'" + path + "' is given twice");
    }
    all.add(one);
  }

  NarrowedPath on(String node, String host) {
    return new NarrowedPath(path.on(node, host), mayBeMissing);
  }
}
