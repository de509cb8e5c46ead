package dev.rollcall.load.bench;

import java.util.List;

/** One thing that is measured: ours, the peer's and the floor by turns, in one run. */
public interface Benchmark {
  /** As it is called on the command line, and its files are. */
  String name();

  /** What it measures, in one line. */
  String about();

  /**
   * @return what was measured, in the order in which it is told
   * @throws BenchFailedException when it could not be measured: nothing is told by halves
   */
  List<BenchCase> run(Bench bench);
}
