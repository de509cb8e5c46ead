package dev.rollcall.load.large;

import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Computes the growth over all sizes, the values for 10,000 nodes, and the first limit. */
final class Grown {
  private static final double MANY = 10_000;
  private static final int GATEWAYS = 3;
  private static final double GIB = 1 << 30;
  private static final double MIB = 1 << 20;

  private record Failure(int nodes, String why) {}

  private final Map<String, Growth> all = new TreeMap<>();
  private Optional<Failure> failure = Optional.empty();
  private int largest;
  private double heapOfNode;
  private double restOfNode;
  private double connectOfNode;
  private double heapOfProcess;
  private double heapOfCall;
  private double cpuOfCall;
  private double descriptorsOfNode;

  private void grew(String what, double size, double value) {
    all.computeIfAbsent(what, _ -> new Growth()).add(size, value);
  }

  private double each(String what) {
    return all.getOrDefault(what, new Growth()).perOne();
  }

  void connected(int nodes, double cpuSeconds, double heap, double rest, int descriptors) {
    largest = Math.max(largest, nodes);
    grew("CPU to connect, by nodes", nodes, cpuSeconds);
    grew("heap of streams, by nodes", nodes, heap);
    grew("CPU at rest, by nodes", nodes, rest);
    connectOfNode = each("CPU to connect, by nodes");
    heapOfNode = each("heap of streams, by nodes");
    restOfNode = each("CPU at rest, by nodes");
    descriptorsOfNode = (double) descriptors / nodes;
  }

  void told(int nodes, int processes, double heap) {
    if (nodes == largest) {
      grew("heap of waves, by processes, " + nodes + " nodes", processes, heap);
      heapOfProcess = heap / processes;
    }
  }

  void waved(int nodes, double cpuSeconds) {
    grew("CPU of a wave, by nodes", nodes, cpuSeconds);
  }

  void called(int nodes, long calls, double cpuSeconds, double heap) {
    grew("CPU of calls, by nodes", nodes, cpuSeconds / calls);
    heapOfCall = heap / calls;
    cpuOfCall = cpuSeconds / calls;
  }

  void stormed(int nodes, double seconds) {
    grew("storm, by nodes", nodes, seconds);
  }

  void failed(int nodes, String why) {
    failure = Optional.of(new Failure(nodes, why));
  }

  List<BenchCase> cases() {
    var cases = new ArrayList<BenchCase>();
    all.forEach((what, growth) -> {
      if (growth.points() > 1 && Double.isFinite(growth.exponent())) {
        cases.add(
            BenchCase.of("growth: " + what, "power", Figure.of(growth.exponent()))
                .withFact("points", growth.points()));
      }
    });
    cases.add(computed("10,000 nodes: a gateway at rest", "cores", restOfNode * MANY / GATEWAYS));
    cases.add(
        computed(
            "10,000 nodes: heap of streams in a gateway",
            "MiB",
            heapOfNode * MANY / GATEWAYS / MIB));
    cases.add(
        computed(
            "10,000 nodes: cores of a gateway, all back within 60 s",
            "cores",
            connectOfNode * MANY / GATEWAYS / 60));
    cases.add(
        computed(
            "10,000 calls a second: cores of a gateway", "cores", cpuOfCall * MANY / GATEWAYS));
    cases.add(
        computed(
            "10,000 calls a second: heap of 150 s of them in a gateway",
            "MiB",
            heapOfCall * MANY * 150 / GATEWAYS / MIB));
    cases.add(first());
    return cases;
  }

  private static BenchCase computed(String name, String unit, double value) {
    return BenchCase.of(name, unit, Figure.of(value)).withFact("computed", true);
  }

  /** At which number of nodes each bound is met, with three gateways of 1 GiB and a core each. */
  private BenchCase first() {
    var bounds = new TreeMap<Double, String>();
    bounds.put(GATEWAYS * GIB / heapOfNode, "heap");
    bounds.put(GATEWAYS / restOfNode, "CPU at rest");
    bounds.put(1_048_576 / descriptorsOfNode, "descriptors");
    bounds.put(60 * GATEWAYS / connectOfNode, "a storm of 60 s");
    BenchCase one =
        computed("what breaks first", "nodes", bounds.firstKey())
            .withFact("bound", bounds.firstEntry().getValue())
            .withFact("bounds", bounds.toString())
            .withFact("processes_per_gib", GATEWAYS * GIB / heapOfProcess)
            .withFact("largest_run", largest);
    return failure
        .map(it -> one.withFact("failed_at", it.nodes()).withFact("failed_by", it.why()))
        .orElse(one);
  }
}
