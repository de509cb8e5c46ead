package dev.rollcall.load.attack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Looks for attacks that succeed: changes those that were worst for the target so far. An attack
 * that succeeds on a second process too is made shorter while it does, and reported.
 */
final class AttackSearch {
  private static final int KEPT = 16;
  private static final int FRESH_ONE_IN = 6;
  private static final int TRIES = 2;

  private record Scored(Attack attack, double score) {}

  private final Function<Attack, AttackOutcome> trial;
  private final Random random;
  private final Consumer<String> report;
  private final List<Scored> worst = new ArrayList<>();
  private final List<Attack> found = new ArrayList<>();

  /**
   * @param trial runs an attack on a process that was not harmed before
   * @param report told what goes on
   */
  AttackSearch(Function<Attack, AttackOutcome> trial, long seed, Consumer<String> report) {
    this.trial = trial;
    this.random = new Random(seed);
    this.report = report;
  }

  /**
   * Runs the known attacks, then others.
   *
   * @param goesOn asked before each of the others
   * @return those that succeeded, as short as they were made
   */
  List<Attack> run(List<Attack> known, BooleanSupplier goesOn) {
    known.forEach(this::play);
    while (goesOn.getAsBoolean()) {
      play(next());
    }
    return List.copyOf(found);
  }

  private Attack next() {
    if (worst.isEmpty() || random.nextInt(FRESH_ONE_IN) == 0) {
      var steps = new ArrayList<Step>();
      steps.add(Step.draw(Verb.OPEN, random));
      for (int left = 1 + random.nextInt(6); left > 0; left--) {
        steps.add(Step.draw(random));
      }
      return new Attack(steps);
    }
    return chosen().changed(chosen(), random);
  }

  private Attack chosen() {
    // The worst are chosen more often.
    int at = Math.min(random.nextInt(worst.size()), random.nextInt(worst.size()));
    return worst.get(at).attack();
  }

  private void play(Attack attack) {
    if (attack.steps().stream().noneMatch(step -> step.verb() == Verb.OPEN)) {
      return;
    }
    AttackOutcome outcome = trial.apply(attack);
    report.accept("attack " + String.join("; ", attack.toString().split("\n")) + "\n  " + outcome);
    if (outcome.failure().isPresent()) {
      confirm(attack, outcome);
    } else {
      worst.add(new Scored(attack, outcome.score()));
      worst.sort(Comparator.comparingDouble(Scored::score).reversed());
      if (worst.size() > KEPT) {
        worst.removeLast();
      }
    }
  }

  /** An end of the process is never chance; a delay can be one. */
  private void confirm(Attack attack, AttackOutcome first) {
    if (!first.ended() && !succeeds(attack)) {
      report.accept("  it held against " + TRIES + " more of the same");
      return;
    }
    Attack shortest = shortened(attack);
    found.add(shortest);
    report.accept("FOUND\n" + shortest + "\n# " + first.failure().orElse(""));
  }

  private boolean succeeds(Attack attack) {
    for (int left = TRIES; left > 0; left--) {
      AttackOutcome again = trial.apply(attack);
      if (again.failure().isPresent()) {
        return true;
      }
      report.accept("  again: " + again);
    }
    return false;
  }

  /** Leaves out one operation after another, from the last, while it succeeds. */
  private Attack shortened(Attack attack) {
    Attack shortest = attack;
    for (int i = attack.steps().size() - 1; i >= 0 && shortest.steps().size() > 1; i--) {
      Attack shorter = shortest.without(i);
      boolean succeeds = succeeds(shorter);
      report.accept("  without '" + shortest.steps().get(i) + "': " + succeeds);
      if (succeeds) {
        shortest = shorter;
      }
    }
    return shortest;
  }
}
