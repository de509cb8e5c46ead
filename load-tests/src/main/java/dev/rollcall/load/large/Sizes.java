package dev.rollcall.load.large;

import dev.rollcall.load.bench.Bench;
import java.util.List;

/**
 * Holds the sizes of a run.
 *
 * @param nodes in turn, each on gateways of its own
 * @param jobs of a wave
 * @param processes of a wave, of all jobs together
 * @param waves one after another; what one tells stays
 * @param callRate calls a second, of all nodes together
 * @param callSeconds how long
 * @param askRate questions a second meanwhile
 * @param rest seconds in which nothing happens
 */
record Sizes(
    List<Integer> nodes,
    int jobs,
    int processes,
    int waves,
    int callRate,
    int callSeconds,
    int askRate,
    int rest) {
  private static final Sizes EARNEST =
      new Sizes(List.of(100, 300, 1_000, 3_000, 10_000), 100, 100_000, 3, 10_000, 10, 200, 10);
  private static final Sizes QUICK = new Sizes(List.of(10, 20), 5, 200, 2, 200, 1, 50, 1);

  static Sizes of(Bench bench) {
    Sizes usual = bench.quick() ? QUICK : EARNEST;
    return bench.nodes().isEmpty() ? usual : usual.with(bench.nodes());
  }

  private Sizes with(List<Integer> asked) {
    return new Sizes(asked, jobs, processes, waves, callRate, callSeconds, askRate, rest);
  }
}
