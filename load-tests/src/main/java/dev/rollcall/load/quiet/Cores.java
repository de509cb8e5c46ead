package dev.rollcall.load.quiet;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The processors of this machine, as taskset(1) has them.
 *
 * @param measured the one where the quanta run, and what is measured beside them
 * @param others where all else of this run is
 */
record Cores(String measured, String others) {
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final Duration WITHIN = Duration.ofSeconds(10);

  /**
   * @throws BenchFailedException when there is only one
   */
  static Cores ofThisProcess() {
    try {
      String list =
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith(ALLOWED))
              .map(line -> line.substring(ALLOWED.length()).strip())
              .findFirst()
              .orElseThrow();
      return of(list);
    } catch (IOException e) {
      throw new BenchFailedException("cannot read /proc/self/status: " + e.getMessage(), e);
    }
  }

  /** The last one of a list as {@code 0-3,8} for what is measured. */
  static Cores of(String list) {
    var all = new ArrayList<Integer>();
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", 2);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int core = Integer.parseInt(ends[0]); core <= last; core++) {
        all.add(core);
      }
    }
    if (all.size() < 2) {
      throw new BenchFailedException(
          "jitter needs a processor of its own, and this process has only " + list);
    }
    String measured = Integer.toString(all.removeLast());
    return new Cores(
        measured,
        all.stream().map(core -> Integer.toString(core)).collect(Collectors.joining(",")));
  }

  /** Leaves the measured processor to others; a process that has ended is none. */
  void away(long pid) {
    pin(others, pid);
  }

  void toMeasured(long pid) {
    pin(measured, pid);
  }

  void everywhere(long pid) {
    pin(measured + "," + others, pid);
  }

  private static void pin(String cores, long pid) {
    Running.run(WITHIN, List.of("taskset", "-a", "-c", "-p", cores, Long.toString(pid)));
  }
}
