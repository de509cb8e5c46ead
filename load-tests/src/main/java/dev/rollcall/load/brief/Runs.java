package dev.rollcall.load.brief;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Figure;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Holds the figures that the runner printed for a command.
 *
 * @param untilLast of a burst: nanoseconds until the last one had ended
 */
record Runs(List<Run> all, Optional<Long> untilLast) {
  private static final double MILLI = 1_000_000;
  private static final String ALL = "all ";

  Runs {
    all = List.copyOf(all);
  }

  /**
   * @param nanos of the clock
   * @param cpuNanos of the command and of what it started
   * @param kibibytes the greatest resident set of one of them
   */
  record Run(long nanos, long cpuNanos, long kibibytes, int status) {
    private static Run parse(String line) {
      String[] words = line.split(" ", -1);
      return new Run(
          Long.parseLong(words[0]),
          Long.parseLong(words[1]),
          Long.parseLong(words[2]),
          Integer.parseInt(words[3]));
    }
  }

  static Runs parse(String printed) {
    return new Runs(
        printed.lines().filter(line -> !line.startsWith(ALL)).map(Run::parse).toList(),
        printed
            .lines()
            .filter(line -> line.startsWith(ALL))
            .map(line -> Long.parseLong(line.substring(ALL.length())))
            .findFirst());
  }

  /**
   * @param status with which each is to end
   * @throws BenchFailedException one did not
   */
  Runs ended(int status, String what) {
    List<Integer> others = all.stream().map(Run::status).filter(it -> it != status).toList();
    if (all.isEmpty() || !others.isEmpty()) {
      throw new BenchFailedException(
          "%s: %d of %d ended otherwise than with %d: %s"
              .formatted(what, others.size(), all.size(), status, others));
    }
    return this;
  }

  Figure millis() {
    return figure(Run::nanos);
  }

  Figure cpuMillis() {
    return figure(Run::cpuNanos);
  }

  private Figure figure(ToDoubleFunction<Run> of) {
    return Figure.ofSamples(all.stream().mapToDouble(of).map(nanos -> nanos / MILLI).toArray());
  }

  double cpuMillisOfAll() {
    return all.stream().mapToLong(Run::cpuNanos).sum() / MILLI;
  }

  double megabytes() {
    return all.stream().mapToLong(Run::kibibytes).max().orElse(0) / 1024.0;
  }
}
