package dev.rollcall.load.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** A sequence of operations, at most {@value #MOST_STEPS}; its text can be replayed. */
record Attack(List<Step> steps) {
  static final int MOST_STEPS = 14;
  private static final int CHANGES = 3;

  Attack {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a line for each operation; empty lines and those that begin with # are left out.
   *
   * @throws IllegalArgumentException naming the first line that is no operation
   */
  static Attack parse(String text) {
    return new Attack(
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .map(Step::parse)
            .toList());
  }

  /** Another one, from this one and at times a part of a second. */
  Attack changed(Attack second, Random random) {
    var changed = new ArrayList<>(steps);
    for (int left = 1 + random.nextInt(CHANGES); left > 0; left--) {
      int at = random.nextInt(changed.size() + 1);
      boolean inside = at < changed.size();
      switch (random.nextInt(6)) {
        case 0 -> changed.add(at, Step.draw(random));
        case 1 -> second.steps.stream().skip(random.nextInt(MOST_STEPS)).forEach(changed::add);
        case 2 -> {
          if (inside && changed.size() > 1) {
            changed.remove(at);
          }
        }
        case 3 -> {
          if (inside) {
            changed.add(changed.get(at));
          }
        }
        default -> {
          if (inside) {
            changed.set(at, changed.get(at).changed(random));
          }
        }
      }
    }
    return new Attack(changed.subList(0, Math.min(MOST_STEPS, changed.size())));
  }

  Attack without(int step) {
    var fewer = new ArrayList<>(steps);
    fewer.remove(step);
    return new Attack(fewer);
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::toString).collect(Collectors.joining("\n"));
  }
}
