package dev.rollcall.lab.soak;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks that the roll agrees with each node's own answers. */
final class Agreement {
  private Agreement() {}

  /**
   * @param nodes the open jobs of each node, by its own word
   * @param roll the same by the roll's; a job of a node that is lost is none
   * @return the differences, for people; empty if there are none
   */
  static String differences(Map<String, Set<Long>> nodes, Map<String, Set<Long>> roll) {
    var names = new TreeSet<>(nodes.keySet());
    names.addAll(roll.keySet());
    var differing = new TreeMap<String, String>();
    for (String name : names) {
      Set<Long> here = nodes.getOrDefault(name, Set.of());
      Set<Long> told = roll.getOrDefault(name, Set.of());
      if (!here.equals(told)) {
        differing.put(
            name, "has %s, the roll says %s".formatted(new TreeSet<>(here), new TreeSet<>(told)));
      }
    }
    return differing.isEmpty() ? "" : differing.toString();
  }
}
