package dev.rollcall.jobs.limits;

import static java.util.Objects.requireNonNull;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.allocation.NumberList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes a list of v1's cpuset, where a parent must have all that its children have: first every
 * directory gets the old and the new, from the top down, then the new alone, from the bottom up. A
 * directory without a list of its own has that of its parent.
 *
 * @param own lists of directories below the top
 */
record CpusetTree(CgroupDirectory top, String file, Map<Path, NumberList> own) {
  CpusetTree {
    own = Map.copyOf(own);
  }

  /**
   * @throws IOException naming the file that refused; then all are as they were
   */
  void change(NumberList list) throws IOException {
    List<CgroupDirectory> tree = top.tree();
    Map<CgroupDirectory, String> before = new LinkedHashMap<>();
    Map<CgroupDirectory, String> after = new LinkedHashMap<>();
    for (CgroupDirectory directory : tree) {
      before.put(directory, directory.read(file));
      NumberList above =
          directory.equals(top)
              ? list
              : new NumberList(after.getOrDefault(parent(directory), list.text()));
      after.put(directory, own.getOrDefault(directory.path(), above).text());
    }
    try {
      move(tree, before, after);
    } catch (IOException e) {
      move(tree, after, before);
      throw e;
    }
  }

  private static CgroupDirectory parent(CgroupDirectory directory) {
    return new CgroupDirectory(requireNonNull(directory.path().getParent()));
  }

  private void move(
      List<CgroupDirectory> tree,
      Map<CgroupDirectory, String> from,
      Map<CgroupDirectory, String> to)
      throws IOException {
    for (CgroupDirectory directory : tree) {
      directory.write(file, both(from.getOrDefault(directory, ""), to.getOrDefault(directory, "")));
    }
    for (CgroupDirectory directory : tree.reversed()) {
      directory.write(file, to.getOrDefault(directory, ""));
    }
  }

  private static String both(String one, String other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one + other;
    }
    return new NumberList(one + "," + other).text();
  }
}
