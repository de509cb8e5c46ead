package dev.rollcall.cli.demo;

/**
 * One thing that Rollcall promises, shown.
 *
 * @param name stable, in kebab case
 * @param what is done, for people
 */
public record Scene(String name, String what, Play play) {
  /** Does it on a stage and tells how it went. Leaves the stage as it was. */
  @FunctionalInterface
  public interface Play {
    Outcome on(Stage stage);
  }

  /** Plays; what keeps the scene from being played at all is a scene that differs. */
  public Outcome play(Stage stage) {
    long start = System.nanoTime();
    try {
      return play.on(stage);
    } catch (RuntimeException e) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      return new Outcome(false, "the scene to be played", e.toString(), millis);
    }
  }
}
