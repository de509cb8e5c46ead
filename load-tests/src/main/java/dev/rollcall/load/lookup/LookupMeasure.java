package dev.rollcall.load.lookup;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * One kind of question on one rig. First as fast as answers come, the gateways and the echo by
 * turns, for what a core of them answers; then half of that by a schedule, for how soon.
 */
final class LookupMeasure {
  private static final double NANOS = 1e9;
  private static final double MICRO = 1e3;
  private static final int WARMING_TURNS = 15;
  private static final int WARMING_SECONDS = 4;

  private final LookupRig rig;
  private final Bench bench;
  private final LoadOptions.Kind kind;
  private long givenUp;

  LookupMeasure(LookupRig rig, Bench bench, LoadOptions.Kind kind) {
    this.rig = rig;
    this.bench = bench;
    this.kind = kind;
  }

  List<BenchCase> cases() {
    int seconds = bench.count(2, 1);
    int rounds = bench.count(3, 1);
    if (!bench.quick()) {
      warm(rig.ports(), rig::gatewaysCpuNanos, rig::gatewaysCompilingNanos);
      warm(List.of(rig.echoPort()), rig::echoCpuNanos, rig::echoCompilingNanos);
    }
    double[] ours = new double[rounds];
    double[] floor = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ours[round] = perCore(rig.ports(), rig::gatewaysCpuNanos, seconds);
      floor[round] = perCore(List.of(rig.echoPort()), rig::echoCpuNanos, seconds);
    }
    Figure throughput = Figure.ofSamples(ours);
    int rate = Math.max(1, (int) (throughput.value() / 2));
    bench.progress().accept(name() + ": " + 2 * rate + " a second of a core");
    return List.of(
        BenchCase.of(name() + ", of a core", "/s", throughput)
            .withFloor(Figure.ofSamples(floor))
            .withFact("cpu_us", NANOS / MICRO / throughput.value()),
        latency(rate));
  }

  private BenchCase latency(int rate) {
    int each = Math.max(1, rate / rig.ports().size());
    int seconds = bench.count(5, 1);
    Histogram ours = histogram(all(rig.ports(), each, seconds));
    Histogram floor = histogram(all(List.of(rig.echoPort()), rate, seconds));
    return BenchCase.of(name() + ", latency at half of it", "us", Figure.of(ours, MICRO))
        .withFloor(Figure.of(floor, MICRO))
        .withFact("rate", rate)
        .withFact("unreachable", givenUp);
  }

  private String name() {
    String asked =
        switch (kind) {
          case MANY -> "IdentifyMany";
          case EACH -> "Identify";
        };
    return asked + ", " + rig.shape();
  }

  /** Answers for a second of a core, of those that answer all together. */
  private double perCore(List<Integer> ports, LongSupplier cpuNanos, int seconds) {
    long before = cpuNanos.getAsLong();
    long answered = all(ports, 0, seconds).stream().mapToLong(one -> one.tally().answered()).sum();
    return answered * NANOS / (cpuNanos.getAsLong() - before);
  }

  /** Until a JVM's compilers take less than a twentieth of what it takes, or for a minute. */
  private void warm(List<Integer> ports, LongSupplier cpuNanos, LongSupplier compilingNanos) {
    boolean warm = false;
    for (int turn = 0; turn < WARMING_TURNS && !warm; turn++) {
      long cpuBefore = cpuNanos.getAsLong();
      long compilingBefore = compilingNanos.getAsLong();
      all(ports, 0, WARMING_SECONDS);
      long compiling = compilingNanos.getAsLong() - compilingBefore;
      warm = 20 * compiling < cpuNanos.getAsLong() - cpuBefore;
    }
  }

  private List<LoadReport> all(List<Integer> ports, int rate, int seconds) {
    var reports = new ArrayList<LoadReport>();
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<LoadReport>> running =
          ports.stream()
              .map(port -> threads.submit(() -> load(rig.options(kind, port, rate, seconds))))
              .toList();
      for (Future<LoadReport> one : running) {
        reports.add(checked(one.get()));
      }
    } catch (ExecutionException e) {
      throw new BenchFailedException(name() + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
    return reports;
  }

  private static LoadReport load(LoadOptions options) throws LoadFailedException {
    try (var load = LookupRun.connect(options)) {
      return load.run();
    }
  }

  /** Every caller is in the roll. One that the gateway gave up on, on a busy machine, is told. */
  private LoadReport checked(LoadReport report) {
    if (!report.complete() || report.tally().unknown.sum() > 0) {
      throw new BenchFailedException(name() + ": not every caller was found:\n" + report.text());
    }
    givenUp += report.tally().unreachable.sum();
    return report;
  }

  private static Histogram histogram(List<LoadReport> reports) {
    var sum = new Histogram(3);
    reports.forEach(one -> sum.add(one.tally().latency));
    return sum;
  }
}
