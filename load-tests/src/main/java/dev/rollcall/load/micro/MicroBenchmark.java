package dev.rollcall.load.micro;

import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.bench.Figure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Nanoseconds and bytes allocated of single acts, in JVMs with the flags of those that do them. The
 * peer has no such acts to be measured alone.
 */
public final class MicroBenchmark implements Benchmark {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final long ENDED_WITHIN_SECONDS = 10;

  @Override
  public String name() {
    return "micro";
  }

  @Override
  public String about() {
    return "single acts by JMH: the policy, parsers, the login socket's frames, the roll's entries,"
        + " lookups";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    System.setProperty("jmh.ignoreLock", "true"); // whose file would stay
    AtExit forks = AtExit.of(MicroBenchmark::endForks);
    try {
      var missing = new ArrayList<String>();
      List<Act> acts = Stream.of(Act.values()).filter(act -> isPossible(act, missing)).toList();
      missing.forEach(bench.progress());
      var cases = new ArrayList<BenchCase>();
      for (Act act : acts) {
        bench.progress().accept(act.text());
        cases.addAll(told(act, measure(bench, act)));
      }
      if (!missing.isEmpty()) {
        cases.set(0, cases.getFirst().withFact("not_measured", List.copyOf(missing)));
      }
      return cases;
    } finally {
      forks.forget();
    }
  }

  private static boolean isPossible(Act act, List<String> missing) {
    try {
      act.probe();
      return true;
    } catch (IOException e) {
      missing.add("%s cannot be measured here: %s".formatted(act.text(), e.getMessage()));
      return false;
    }
  }

  private static Collection<RunResult> measure(Bench bench, Act act) {
    var said = new ByteArrayOutputStream();
    var out = new PrintStream(said, true, StandardCharsets.UTF_8);
    try {
      return new Runner(
              options(bench, act),
              OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL))
          .run();
    } catch (RunnerException e) {
      throw new BenchFailedException(
          "%s: %s\n%s"
              .formatted(act.method(), e.getMessage(), said.toString(StandardCharsets.UTF_8)),
          e);
    }
  }

  private static Options options(Bench bench, Act act) {
    TimeValue each = TimeValue.milliseconds(bench.count(1_000, 20));
    return new OptionsBuilder()
        .include("^" + Pattern.quote(act.method()) + "$")
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .threads(1)
        .forks(bench.count(2, 1))
        .warmupIterations(bench.count(3, 1))
        .warmupTime(each)
        .measurementIterations(bench.count(5, 1))
        .measurementTime(each)
        .jvm(Path.of(System.getProperty("java.home"), "bin/java").toString())
        .jvmArgs(act.jvm().flags().toArray(String[]::new))
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .build();
  }

  private static List<BenchCase> told(Act act, Collection<RunResult> results) {
    List<IterationResult> rounds =
        results.stream()
            .flatMap(result -> result.getBenchmarkResults().stream())
            .flatMap(fork -> fork.getIterationResults().stream())
            .toList();
    return List.of(
        BenchCase.of(
            act.text(), "ns", figure(rounds, round -> round.getPrimaryResult().getScore())),
        BenchCase.of(act.text() + ", allocated", "B", figure(rounds, MicroBenchmark::allocated)));
  }

  private static double allocated(IterationResult round) {
    return Objects.requireNonNull(round.getSecondaryResults().get(ALLOCATED), ALLOCATED).getScore();
  }

  private static Figure figure(
      List<IterationResult> rounds, ToDoubleFunction<IterationResult> score) {
    return Figure.ofSamples(rounds.stream().mapToDouble(score).toArray());
  }

  /** By SIGTERM first, so that they take their cgroups and mounts away. */
  private static void endForks() {
    List<ProcessHandle> forks = ProcessHandle.current().descendants().toList();
    forks.forEach(ProcessHandle::destroy);
    for (ProcessHandle fork : forks) {
      try {
        fork.onExit().get(ENDED_WITHIN_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        fork.destroyForcibly();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fork.destroyForcibly();
      }
    }
  }
}
