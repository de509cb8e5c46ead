package dev.rollcall.lab.demo;

/**
 * One thing that Rollcall promises of a node whose systemd and controllers are real, shown.
 *
 * @param name stable, in kebab case
 * @param what is done, for people
 */
public record NodeScene(String name, String what, Play play) {
  /** Does it on a node and tells how it went. Leaves the node as it was. */
  @FunctionalInterface
  public interface Play {
    Outcome on(SystemdNode node);
  }

  /** Plays; what keeps the scene from being played at all is a scene that differs. */
  public Outcome play(SystemdNode node) {
    long start = System.nanoTime();
    try {
      return play.on(node);
    } catch (RuntimeException e) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      return new Outcome(false, "the scene to be played", e.toString(), millis);
    }
  }
}
