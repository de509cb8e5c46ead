package dev.rollcall.load.processes;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.load.gateway.ProcessCost;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.NodeProcesses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Lookups of processes by node and pid in the roll of three members, which share this JVM and
 * loopback. Each node has one job with 100 processes.
 */
public final class ProcessesBenchmark implements Benchmark {
  private static final int BATCH = 1_000;
  private static final double MICROS = 1_000;
  private static final double MILLIS = 1e6;

  private static final long PID = ProcessHandle.current().pid();

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public String about() {
    return "the job of a process by node and pid, in a roll of three: memory, time, CPU";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    List<Integer> sizes = bench.nodes();
    if (sizes.isEmpty()) {
      sizes = bench.quick() ? List.of(20) : List.of(1_000, 10_000);
    }
    var cases = new ArrayList<BenchCase>();
    for (int nodes : sizes) {
      bench.progress().accept(nodes + " nodes");
      cases.addAll(of(bench, nodes));
    }
    return cases;
  }

  private static List<BenchCase> of(Bench bench, int nodes) {
    try (var roll = FilledRoll.start()) {
      double before = liveHeapBytes();
      double cpu = cpuNanos();
      roll.fill(nodes);
      double cpuOfWrites = cpuNanos() - cpu;
      double heap = liveHeapBytes() - before;
      int processes = nodes * FilledRoll.PROCESSES;
      Random random = bench.random();
      String size = nodes + " nodes, ";
      return List.of(
          BenchCase.of(size + "heap of a process", "bytes", Figure.of(heap / processes))
              .withFact("processes", processes)
              .withFact("mib_of_three_members", heap / (1 << 20))
              .withFact("cpu_us_of_a_node", cpuOfWrites / MICROS / nodes),
          single(size + "one process", bench.count(10_000, 50), roll, nodes, random, true),
          single(size + "one that no job has", bench.count(10_000, 50), roll, nodes, random, false),
          batch(size + "1,000 processes in a request", bench.count(100, 2), roll, nodes, random));
    }
  }

  private static BenchCase single(
      String name, int count, FilledRoll roll, int nodes, Random random, boolean known) {
    for (int i = 0; i < count; i++) {
      ask(roll, one(nodes, random, known), known ? 1 : 0);
    }
    var times = new Histogram(3);
    double cpu = cpuNanos();
    for (int i = 0; i < count; i++) {
      Map<NodeName, Set<Integer>> wanted = one(nodes, random, known);
      long start = System.nanoTime();
      ask(roll, wanted, known ? 1 : 0);
      times.recordValue(System.nanoTime() - start);
    }
    return BenchCase.of(name, "us", Figure.of(times, MICROS))
        .withFact("cpu_us", (cpuNanos() - cpu) / MICROS / count);
  }

  private static BenchCase batch(
      String name, int count, FilledRoll roll, int nodes, Random random) {
    for (int i = 0; i < count; i++) {
      many(nodes, random).forEach((size, wanted) -> ask(roll, wanted, size));
    }
    var times = new Histogram(3);
    double cpu = cpuNanos();
    for (int i = 0; i < count; i++) {
      many(nodes, random)
          .forEach((size, wanted) -> {
            long start = System.nanoTime();
            ask(roll, wanted, size);
            times.recordValue(System.nanoTime() - start);
          });
    }
    return BenchCase.of(name, "ms", Figure.of(times, MILLIS))
        .withFact("cpu_us_of_each", (cpuNanos() - cpu) / MICROS / count / BATCH);
  }

  private static Map<NodeName, Set<Integer>> one(int nodes, Random random, boolean known) {
    int pid = random.nextInt(FilledRoll.PROCESSES) + (known ? FilledRoll.FIRST : 1);
    return Map.of(FilledRoll.name(random.nextInt(nodes)), Set.of(pid));
  }

  /** Under the number of different processes in it. */
  private static Map<Integer, Map<NodeName, Set<Integer>>> many(int nodes, Random random) {
    var wanted = new HashMap<NodeName, Set<Integer>>();
    for (int i = 0; i < BATCH; i++) {
      wanted
          .computeIfAbsent(FilledRoll.name(random.nextInt(nodes)), _ -> new TreeSet<>())
          .add(FilledRoll.FIRST + random.nextInt(FilledRoll.PROCESSES));
    }
    return Map.of(wanted.values().stream().mapToInt(Set::size).sum(), wanted);
  }

  private static void ask(FilledRoll roll, Map<NodeName, Set<Integer>> wanted, int expected) {
    int found =
        roll.reader().processesByPid(wanted).values().stream()
            .map(NodeProcesses::found)
            .mapToInt(List::size)
            .sum();
    if (found != expected) {
      throw new BenchFailedException(found + " processes were found, not " + expected);
    }
  }

  private static double liveHeapBytes() {
    System.gc();
    Runtime own = Runtime.getRuntime();
    return own.totalMemory() - own.freeMemory();
  }

  /** Of all three members; without the compilers. */
  private static double cpuNanos() {
    return ProcessCost.cpuNanos(PID) - ProcessCost.compilingNanos(PID);
  }
}
