package dev.rollcall.lab.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Holds the counts and the violations of a soak. */
final class SoakTally {
  private final Map<String, Long> counts = new TreeMap<>();
  private final List<Violation> violations = new ArrayList<>();

  synchronized void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** The same process, or the same node, is found in each round: it is told once. */
  synchronized boolean violated(Violation violation) {
    boolean isNew =
        violations.stream()
            .noneMatch(one ->
                one.rule().equals(violation.rule()) && one.about().equals(violation.about()));
    if (isNew) {
      violations.add(violation);
    }
    return isNew;
  }

  synchronized long of(String what) {
    return counts.getOrDefault(what, 0L);
  }

  synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  synchronized List<Violation> violations() {
    return List.copyOf(violations);
  }
}
