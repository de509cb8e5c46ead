package dev.rollcall.lab.demo;

import java.util.function.Supplier;

/**
 * One thing that Rollcall promises, shown.
 *
 * @param name stable, in kebab case
 * @param what is done, for people
 */
public record Scene(String name, String what, Play play) {
  /** What pam_rollcall says when the agent did not get to a login within its deadline. */
  private static final String TRY_AGAIN = "cannot decide now, try again";

  private static final int TRIES = 3;

  /** Does it on a stage and tells how it went. Leaves the stage as it was. */
  @FunctionalInterface
  public interface Play {
    Outcome on(Stage stage);
  }

  /**
   * Plays; what keeps the scene from being played at all is a scene that differs. On a machine that
   * has no time for the agent a login is refused with the word to try again: then the scene is
   * played again, and tells so.
   */
  public Outcome play(Stage stage) {
    return again(() -> once(stage));
  }

  static Outcome again(Supplier<Outcome> play) {
    Outcome outcome = play.get();
    int tries = 1;
    while (!outcome.ok() && outcome.seen().contains(TRY_AGAIN) && tries < TRIES) {
      outcome = play.get().afterRefusals(tries);
      tries++;
    }
    return outcome;
  }

  private Outcome once(Stage stage) {
    long start = System.nanoTime();
    try {
      return play.on(stage);
    } catch (RuntimeException e) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      return new Outcome(false, "the scene to be played", e.toString(), millis);
    }
  }
}
