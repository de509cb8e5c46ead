package dev.rollcall.load.quiet;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.testkit.process.RigException;
import java.util.List;

/**
 * The agent beside the jobs, at rest and while jobs come and go: the memory it holds, how often it
 * wakes, how long it runs, and by how much it delays work on its processor. The peer is slurmd, the
 * floor a JVM that sleeps, and for the delays a processor with neither.
 */
public final class QuietBenchmark implements Benchmark {
  @Override
  public String name() {
    return "quiet";
  }

  @Override
  public String about() {
    return "the agent at rest and among jobs: memory, wake-ups, CPU, and jitter beside it";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    Cores cores = Cores.ofThisProcess();
    bench.progress().accept("raising a cluster with Slurm");
    try (var cluster = QuietCluster.raise(bench.distribution());
        var asleep = Asleep.start()) {
      long self = ProcessHandle.current().pid();
      cores.away(self);
      try {
        return new QuietScenes(bench, cluster, cores, asleep.process().pid()).run();
      } finally {
        cores.everywhere(self);
      }
    } catch (RigException e) {
      throw new BenchFailedException("the quiet cluster: " + e.getMessage(), e);
    }
  }
}
