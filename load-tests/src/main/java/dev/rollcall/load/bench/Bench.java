package dev.rollcall.load.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Holds the settings of a benchmark's run.
 *
 * @param quick a run that shows that all of it works; its figures are worth nothing
 * @param distribution the folder that is shipped: {@code bin/rollcall}, {@code lib/agent} and so on
 * @param folder for what it leaves beside its figures, such as a profile; it is there
 * @param seed of whatever is drawn
 * @param nodes so many, in turn, where a benchmark has nodes; empty for its own
 * @param progress told what goes on, a line each
 */
public record Bench(
    boolean quick,
    Path distribution,
    Path folder,
    long seed,
    List<Integer> nodes,
    Consumer<String> progress) {
  public Bench {
    nodes = List.copyOf(nodes);
  }

  /** So many in earnest, and so many to see that it works. */
  public int count(int usual, int whenQuick) {
    return quick ? whenQuick : usual;
  }

  public Random random() {
    return new Random(seed);
  }
}
