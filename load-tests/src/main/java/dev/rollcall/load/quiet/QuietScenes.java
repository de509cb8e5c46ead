package dev.rollcall.load.quiet;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Figure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleBiFunction;

/** The same figures twice: nothing happens, and jobs come and go. */
final class QuietScenes {
  private static final double MEBI = 1024.0 * 1024;

  /** What is looked at. */
  private enum Who {
    OURS("ours"),
    OURS_ON_SLURMS("ours on Slurm's node"),
    PEER("slurmd"),
    FLOOR("neither");

    private final String words;

    Who(String words) {
      this.words = words;
    }
  }

  private final Bench bench;
  private final QuietCluster cluster;
  private final Cores cores;
  private final Map<Who, Long> pids = new EnumMap<>(Who.class);
  private final Quanta quanta;
  private final List<BenchCase> cases = new ArrayList<>();

  QuietScenes(Bench bench, QuietCluster cluster, Cores cores, long asleep) {
    this.bench = bench;
    this.cluster = cluster;
    this.cores = cores;
    this.quanta = Quanta.compiledIn(cluster.directory());
    pids.put(Who.OURS, cluster.agent());
    pids.put(Who.OURS_ON_SLURMS, cluster.agentOnSlurms());
    pids.put(Who.PEER, cluster.slurmd());
    pids.put(Who.FLOOR, asleep);
  }

  List<BenchCase> run() {
    cluster.pids().forEach(cores::away);
    pids.values().forEach(cores::away);
    bench.progress().accept("settling");
    pause(bench.count(60, 1));
    used("soon after the start"); // while the compiler is still busy
    jitter("at rest");
    used("at rest");
    bench.progress().accept("jobs come and go");
    try (var mix = JobMix.begin(cluster, cores)) {
      int before = mix.done();
      long from = System.nanoTime();
      int first = cases.size();
      used("among jobs");
      jitter("among jobs");
      double minutes = (System.nanoTime() - from) / 60e9;
      double rate = (mix.done() - before) / minutes;
      cases.subList(first, cases.size()).replaceAll(one -> one.withFact("jobs_per_minute", rate));
    }
    return cases;
  }

  private void used(String when) {
    bench.progress().accept(when + ": memory, CPU, wake-ups");
    Map<Who, ProcessUsage> before = usage();
    pause(bench.count(120, 2));
    Map<Who, ProcessUsage> after = usage();
    tell(when + ", RSS", "MiB", before, after, (_, now) -> now.residentBytes() / MEBI);
    tell(when + ", PSS", "MiB", before, after, (_, now) -> now.shareBytes() / MEBI);
    tell(when + ", threads", "threads", before, after, (_, now) -> now.threads());
    tell(
        when + ", CPU, its threads",
        "ms/min",
        before,
        after,
        (then, now) -> now.cpuMillisPerMinute(then));
    tell(
        when + ", CPU, all of it",
        "ms/min",
        before,
        after,
        (then, now) -> now.tickMillisPerMinute(then));
    tell(when + ", wake-ups", "wake-ups/s", before, after, (then, now) -> now.wakeUps(then));
    nameThreads(Who.OURS_ON_SLURMS, cases.size() - 1, before, after);
    nameThreads(Who.OURS, cases.size() - 2, before, after);
  }

  /** Which of them woke. */
  private void nameThreads(
      Who who, int number, Map<Who, ProcessUsage> before, Map<Who, ProcessUsage> after) {
    ProcessUsage then = Objects.requireNonNull(before.get(who));
    ProcessUsage now = Objects.requireNonNull(after.get(who));
    cases.set(number, cases.get(number).withFact("ours_by_thread", now.byThread(then)));
  }

  private Map<Who, ProcessUsage> usage() {
    var usage = new EnumMap<Who, ProcessUsage>(Who.class);
    pids.forEach((who, pid) -> usage.put(who, ProcessUsage.of(pid)));
    return usage;
  }

  private void tell(
      String name,
      String unit,
      Map<Who, ProcessUsage> before,
      Map<Who, ProcessUsage> after,
      ToDoubleBiFunction<ProcessUsage, ProcessUsage> value) {
    var figures = new EnumMap<Who, Figure>(Who.class);
    before.forEach((who, then) ->
        figures.put(
            who, Figure.of(value.applyAsDouble(then, Objects.requireNonNull(after.get(who))))));
    tell(name, unit, figures);
  }

  /** What runs beside the quanta: by turns one of those, and nobody. */
  private void jitter(String when) {
    var seconds = new EnumMap<Who, Quanta.Seconds>(Who.class);
    for (int round = 1; round <= bench.count(4, 1); round++) {
      for (Who who : Who.values()) {
        bench.progress().accept("%s: jitter, round %d, %s".formatted(when, round, who.words));
        seconds.computeIfAbsent(who, _ -> Quanta.Seconds.none()).add(beside(who));
      }
    }
    var lost = new EnumMap<Who, Figure>(Who.class);
    var longest = new EnumMap<Who, Figure>(Who.class);
    seconds.forEach((who, all) -> {
      lost.put(who, all.lostFigure());
      longest.put(who, all.longestFigure());
    });
    tell(when + ", lost a second", "us", lost);
    tell(when + ", longest delay in a second", "us", longest);
  }

  private Quanta.Seconds beside(Who who) {
    int seconds = bench.count(10, 1);
    if (who == Who.FLOOR) {
      return quanta.run(cores, seconds);
    }
    cores.toMeasured(pid(who));
    try {
      return quanta.run(cores, seconds);
    } finally {
      cores.away(pid(who));
    }
  }

  private long pid(Who who) {
    return Objects.requireNonNull(pids.get(who));
  }

  private void tell(String name, String unit, Map<Who, Figure> figures) {
    for (Who who : List.of(Who.OURS, Who.OURS_ON_SLURMS)) {
      BenchCase one =
          BenchCase.of(
                  who == Who.OURS ? name : name + ", Slurm's jobs",
                  unit,
                  Objects.requireNonNull(figures.get(who)))
              .withPeer(Objects.requireNonNull(figures.get(Who.PEER)))
              .withFloor(Objects.requireNonNull(figures.get(Who.FLOOR)));
      bench.progress().accept("%s: %.4g %s".formatted(one.name(), one.ours().value(), one.unit()));
      cases.add(one);
    }
  }

  private static void pause(long seconds) {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }
}
