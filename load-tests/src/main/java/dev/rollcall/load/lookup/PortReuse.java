package dev.rollcall.load.lookup;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.model.Connection;

/**
 * A port is used again, by another job: how long until a gateway tells the new caller, and whether
 * any gateway tells the old one after that.
 */
final class PortReuse {
  /** Below those that the load asks for. */
  private static final int PORT = 20_000;

  private static final double MILLI = 1e6;

  private PortReuse() {}

  static BenchCase measured(LookupRig rig, Bench bench) {
    int times = bench.count(200, 5);
    int gateways = rig.ports().size();
    double[] took = new double[times];
    int stale = 0;
    Connection call = LookupRig.connection(PORT);
    for (int each = 0; each < times; each++) {
      long job = 1000L + each;
      int first = each % gateways;
      long told = System.nanoTime();
      rig.tell(PORT, job);
      rig.await(() -> rig.isOfJob(first, call, job), "the new caller is not told");
      took[each] = (System.nanoTime() - told) / MILLI;
      for (int gateway = 0; gateway < gateways; gateway++) {
        stale += rig.isOfJob(gateway, call, job) ? 0 : 1;
      }
    }
    return BenchCase.of("port used again, " + rig.shape(), "ms", Figure.ofSamples(took))
        .withFact("stale", stale);
  }
}
