package dev.rollcall.load.quiet;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.CProgram;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The program that does the same work again and again: quanta.c. */
record Quanta(Path program) {
  private static final Duration LATE = Duration.ofMinutes(2);
  private static final double MICRO = 1_000;

  /**
   * Seconds of it.
   *
   * @param lost microseconds that were lost in each
   * @param longest microseconds for which one quantum was held up, in each
   */
  record Seconds(List<Double> lost, List<Double> longest) {
    static Seconds none() {
      return new Seconds(new ArrayList<>(), new ArrayList<>());
    }

    void add(Seconds more) {
      lost.addAll(more.lost);
      longest.addAll(more.longest);
    }

    Figure lostFigure() {
      return figure(lost);
    }

    Figure longestFigure() {
      return figure(longest);
    }

    private static Figure figure(List<Double> samples) {
      return Figure.ofSamples(samples.stream().mapToDouble(Double::doubleValue).toArray());
    }
  }

  static Quanta compiledIn(Path directory) {
    return new Quanta(CProgram.compile(Quanta.class, "quanta", directory));
  }

  /** Runs it on the measured processor. */
  Seconds run(Cores cores, int seconds) {
    try {
      String printed =
          Running.run(
                  LATE.plusSeconds(seconds),
                  List.of(
                      "taskset",
                      "-c",
                      cores.measured(),
                      program.toString(),
                      Integer.toString(seconds)))
              .outOrThrow("the quanta");
      return parse(printed);
    } catch (RigException e) {
      throw new BenchFailedException("the quanta: " + e.getMessage(), e);
    }
  }

  static Seconds parse(String printed) {
    Seconds seconds = Seconds.none();
    printed
        .lines()
        .map(line -> line.split(" ", 2))
        .forEach(words -> {
          seconds.lost.add(Long.parseLong(words[0]) / MICRO);
          seconds.longest.add(Long.parseLong(words[1]) / MICRO);
        });
    return seconds;
  }
}
