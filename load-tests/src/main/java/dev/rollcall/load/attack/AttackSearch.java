package dev.rollcall.load.attack;

import dev.rollcall.load.attack.AttackOutcome.Kind;
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
  private static final int TRIES_WITHOUT = 5;
  private static final Attack NONE = Attack.parse("wait 2000\nwait 2000");

  private record Scored(Attack attack, double score) {}

  private final Function<Attack, AttackOutcome> trial;
  private final Random random;
  private final Consumer<String> report;
  private final List<Scored> worst = new ArrayList<>();
  private final List<Attack> found = new ArrayList<>();
  private int onSameProcess;

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
    onSameProcess++;
    if (outcome.success().isPresent()) {
      confirm(attack, outcome);
      onSameProcess = 0;
    } else {
      remember(attack, outcome);
    }
  }

  private void remember(Attack attack, AttackOutcome outcome) {
    worst.add(new Scored(attack, outcome.score()));
    worst.sort(Comparator.comparingDouble(Scored::score).reversed());
    if (worst.size() > KEPT) {
      worst.removeLast();
    }
  }

  /**
   * An end of the process is never chance, nor is memory that it keeps, though one attack alone may
   * not show it. A delay can be one.
   */
  private void confirm(Attack attack, AttackOutcome first) {
    boolean again = succeeds(attack);
    if (first.hasSucceeded(Kind.DELAY) && !again) {
      report.accept("  no find: the delay is not repeated");
      remember(attack, first);
      return;
    }
    String before = again ? "" : ", the last of " + onSameProcess + " on one process";
    Attack shortest = again ? shortened(attack) : attack;
    found.add(shortest);
    report.accept(
        "FOUND%s%n%s%n# %s".formatted(before, shortest, first.success().orElseThrow().text()));
  }

  /**
   * Whether it succeeds again: by a delay each time, and each time soon after an honest client of
   * the same process had no delay without it.
   */
  private boolean succeeds(Attack attack) {
    for (int left = TRIES; left > 0; left--) {
      if (!isQuiet()) {
        report.accept("  not tried again: the machine is too busy");
        return false;
      }
      AttackOutcome again = trial.apply(attack);
      report.accept("  again: " + again);
      if (!again.hasSucceeded(Kind.DELAY)) {
        return again.success().isPresent();
      }
    }
    return true;
  }

  /** Whether an honest client is answered soon without an attack: others may use the machine. */
  private boolean isQuiet() {
    for (int left = TRIES_WITHOUT; left > 0; left--) {
      AttackOutcome none = trial.apply(NONE);
      if (none.success().isEmpty() && none.delayMillis() < Trial.DEAF_MILLIS / 4) {
        return true;
      }
      report.accept("  without an attack: " + none);
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
