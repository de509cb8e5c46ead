package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import java.util.ArrayList;
import java.util.List;

/** Several, each with its place; no path is there twice. */
record NarrowedPaths(List<LocatedValue<NarrowedPath>> list) {
  NarrowedPaths {
    list = List.copyOf(list);
  }

  /** A list with commas. */
  static NarrowedPaths parse(String text, FilePosition place) {
    NarrowedPaths all = new NarrowedPaths(List.of());
    for (String one : text.split(",", -1)) {
      all = all.and(new LocatedValue<>(NarrowedPath.parse(one.strip()), place));
    }
    return all;
  }

  /**
   * With one more.
   *
   * @throws IllegalArgumentException if it is there already
   */
  NarrowedPaths and(LocatedValue<NarrowedPath> one) {
    JobPathPattern path = one.value().path();
    if (list.stream().anyMatch(other -> other.value().path().equals(path))) {
      throw new IllegalArgumentException("'" + path + "' is given twice");
    }
    List<LocatedValue<NarrowedPath>> more = new ArrayList<>(list);
    more.add(one);
    return new NarrowedPaths(more);
  }
}
