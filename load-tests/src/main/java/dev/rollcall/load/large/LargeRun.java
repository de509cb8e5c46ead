package dev.rollcall.load.large;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.load.gateway.GatewayProcess;
import dev.rollcall.load.gateway.Gateways;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.load.lookup.SteadyLookups;
import dev.rollcall.model.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** One number of nodes, on gateways of its own, from the first stream to the last storm. */
final class LargeRun {
  private static final int GATEWAYS = 3;
  private static final int KNOWN = 500;
  private static final double KIB = 1024;
  private static final double MICROS = 1e6;
  private static final Duration LEAST_WITHIN = Duration.ofMinutes(4);
  private static final Duration WITHIN_OF_A_NODE = Duration.ofMillis(60);

  /** The budget of docs/performance.md. */
  private static final String HEAP = "-Xmx1g";

  /** A compiler's thread that ends takes its time from the sum. */
  private static final String OPTIONS = HEAP + " -XX:-UseDynamicNumberOfCompilerThreads";

  /** After which those who warmed up are lost, and their calls gone. */
  private static final Duration LEASE_AND_MORE = Duration.ofSeconds(20);

  private final Bench bench;
  private final Sizes sizes;
  private final Scratch scratch;
  private final LargeBenchmark.Certificates certificates;
  private final Grown grown;
  private final List<BenchCase> cases = new ArrayList<>();

  LargeRun(
      Bench bench,
      Sizes sizes,
      Scratch scratch,
      LargeBenchmark.Certificates certificates,
      Grown grown) {
    this.bench = bench;
    this.sizes = sizes;
    this.scratch = scratch;
    this.certificates = certificates;
    this.grown = grown;
  }

  List<BenchCase> of(int nodes) {
    Path own = scratch.path().resolve("nodes" + nodes);
    try (var gateways =
            Gateways.start(
                GATEWAYS,
                bench.distribution(),
                own,
                Optional.of(certificates.gateway()),
                List.of("call_seconds: 600"),
                OPTIONS);
        var crowd = Crowd.of(0, certificates.nodes(nodes), gateways, bench.random())) {
      var meters = new Meters(gateways);
      new GatewayWarmUp(bench, gateways, meters).run(certificates.warming());
      LockSupport.parkNanos((bench.quick() ? Duration.ZERO : LEASE_AND_MORE).toNanos());
      var work = new Work(crowd);
      connect(crowd, meters);
      waves(nodes, work, meters);
      calls(crowd, work, gateways, meters);
      lost(crowd, gateways, meters);
      return cases;
    }
  }

  private void tell(int nodes, String what, String unit, double value) {
    tell(BenchCase.of(nodes + " nodes, " + what, unit, Figure.of(value)));
  }

  private void tell(BenchCase one) {
    bench.progress().accept("%s: %.4g %s".formatted(one.name(), one.ours().value(), one.unit()));
    cases.add(one);
  }

  private static Duration within(int nodes) {
    Duration all = WITHIN_OF_A_NODE.multipliedBy(nodes);
    return all.compareTo(LEAST_WITHIN) > 0 ? all : LEAST_WITHIN;
  }

  private void connect(Crowd crowd, Meters meters) {
    int nodes = crowd.size();
    meters.awaitCalm();
    double heap = meters.heap();
    double cpu = meters.cpuSeconds();
    double compiling = meters.compilingSeconds();
    crowd.connect(Duration.ofMillis(Math.max(500, nodes * 10L)));
    double took = crowd.awaitConnected(nodes, within(nodes));
    meters.awaitCalm();
    double used = meters.cpuSeconds() - cpu;
    double compiled = meters.compilingSeconds() - compiling;
    double held = meters.heap() - heap;
    tell(
        BenchCase.of(nodes + " nodes, CPU to connect, each", "ms", Figure.of(used / nodes * 1e3))
            .withFact("seconds", took)
            .withFact("compiling_s", compiled)
            .withFact("ended", crowd.reasons().toString()));
    tell(nodes, "heap, each", "KiB", held / nodes / KIB);
    double rest = meters.atRest(sizes.rest());
    tell(
        BenchCase.of(nodes + " nodes, at rest", "ms/s", Figure.of(rest * 1e3))
            .withFact("largest_rss_mib", meters.largestResident() / KIB / KIB)
            .withFact("largest_descriptors", meters.largestDescriptors()));
    grown.connected(nodes, used, held, rest, meters.largestDescriptors());
  }

  private void waves(int nodes, Work work, Meters meters) {
    double heap = meters.heap();
    double used = 0;
    int entries = 0;
    for (int wave = 1; wave <= sizes.waves(); wave++) {
      Meters.Mark start = meters.calm(sizes.rest());
      entries += work.wave(sizes.jobs(), sizes.processes());
      meters.awaitCalm();
      used += meters.workSince(start);
      double now = meters.heap();
      grown.told(nodes, wave * sizes.processes(), now - heap);
    }
    int processes = sizes.waves() * sizes.processes();
    double held = meters.heap() - heap;
    tell(
        BenchCase.of(nodes + " nodes, CPU of a wave", "s", Figure.of(used / sizes.waves()))
            .withFact("jobs", sizes.jobs())
            .withFact("processes", sizes.processes())
            .withFact("entries", entries / sizes.waves()));
    tell(nodes, "heap of a process", "B", held / processes);
    grown.waved(nodes, used / sizes.waves());
  }

  private void calls(Crowd crowd, Work work, Gateways gateways, Meters meters) {
    int nodes = crowd.size();
    int known = bench.count(KNOWN, 50);
    Endpoint to = work.known(known);
    double heap = meters.heap();
    Meters.Mark start = meters.calm(sizes.rest());
    var lookups =
        new SteadyLookups(
            gateways.get(1).port(),
            Optional.of(certificates.asker()),
            crowd.node(0).address(),
            known,
            to);
    var asking = new FutureTask<>(() -> lookups.ask(sizes.askRate(), sizes.callSeconds()));
    Thread.ofPlatform().name("asking").start(asking);
    Work.Called called = work.calls(sizes.callRate(), sizes.callRate() * sizes.callSeconds());
    SteadyLookups.Seen seen = await(asking);
    meters.awaitCalm();
    double used = meters.workSince(start);
    double held = meters.heap() - heap;
    tell(
        BenchCase.of(
                nodes + " nodes, CPU of a call", "us", Figure.of(used / called.told() * MICROS))
            .withFact("calls_per_second", called.told() / called.seconds())
            .withFact("withheld", called.withheld()));
    tell(nodes, "heap of a call", "B", held / called.told());
    tell(
        BenchCase.of(nodes + " nodes, Identify meanwhile", "us", Figure.of(seen.latency(), 1e3))
            .withFact("asked", seen.asked())
            .withFact("found", seen.found()));
    grown.called(nodes, called.told(), used, held);
  }

  private static SteadyLookups.Seen await(FutureTask<SteadyLookups.Seen> asking) {
    try {
      return asking.get();
    } catch (ExecutionException e) {
      throw new BenchFailedException("questions meanwhile: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }

  private void lost(Crowd crowd, Gateways gateways, Meters meters) {
    int nodes = crowd.size();
    crowd.reasons();
    gateways.get(0).kill();
    double cpu = meters.cpuSeconds();
    crowd.awaitAtMost(nodes - 1, within(nodes));
    double took = crowd.awaitConnected(nodes, within(nodes));
    tell(
        BenchCase.of(nodes + " nodes, a gateway killed, until all connect", "s", Figure.of(took))
            .withFact("cpu_s", meters.cpuSeconds() - cpu)
            .withFact("ended", crowd.reasons().toString()));
    gateways.all().forEach(GatewayProcess::kill);
    crowd.awaitAtMost(0, within(nodes));
    gateways.startTogether();
    crowd.awaitConnected(1, within(nodes));
    double storm = crowd.awaitConnected(nodes, within(nodes));
    gateways.startAll();
    meters.awaitCalm();
    tell(
        BenchCase.of(
                nodes + " nodes, all restarted, from the first to the last", "s", Figure.of(storm))
            .withFact("cpu_s", meters.cpuSeconds())
            .withFact("compiling_s", meters.compilingSeconds())
            .withFact("ended", crowd.reasons().toString()));
    tell(
        BenchCase.of(
                nodes + " nodes, largest heap after it",
                "MiB",
                Figure.of(meters.largestHeap() / KIB / KIB))
            .withFact("largest_rss_mib", meters.largestResident() / KIB / KIB));
    grown.stormed(nodes, storm);
  }
}
