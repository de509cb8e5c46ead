package dev.rollcall.load.quiet;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.ProcessCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Holds a process's memory at one moment, and its CPU time and switches until then.
 *
 * @param nanos of System.nanoTime()
 * @param residentBytes of which shared pages count whole
 * @param shareBytes PSS: of which a page that n processes share counts one nth
 * @param cpuNanos of the threads that live
 * @param ticks user and system time of the process, 1/100 s each; proc_pid_stat(5)
 * @param switches of each thread that lives, by its id: voluntary and involuntary ones
 */
record ProcessUsage(
    long nanos,
    long residentBytes,
    long shareBytes,
    long cpuNanos,
    long ticks,
    Map<String, Switches> switches) {
  private static final double SECOND = 1e9;
  private static final int USER_TIME = 11;
  private static final int SYSTEM_TIME = 12;

  /**
   * Of one thread.
   *
   * @param name at most 15 characters, as the kernel keeps it
   * @param voluntary how often it slept
   * @param involuntary how often it was made to wait
   */
  record Switches(String name, long voluntary, long involuntary) {
    static final Switches NONE = new Switches("", 0, 0);

    private long all() {
      return voluntary + involuntary;
    }
  }

  static ProcessUsage of(long pid) {
    Path proc = Path.of("/proc/" + pid);
    try {
      String stat = Files.readString(proc.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return new ProcessUsage(
          System.nanoTime(),
          ProcessCost.residentBytes(pid),
          number(Files.readAllLines(proc.resolve("smaps_rollup")), "Pss:") * 1024,
          ProcessCost.cpuNanos(pid),
          Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]),
          switches(proc.resolve("task")));
    } catch (IOException e) {
      throw new BenchFailedException("process " + pid + " is not there any more", e);
    }
  }

  private static Map<String, Switches> switches(Path tasks) throws IOException {
    var switches = new HashMap<String, Switches>();
    try (Stream<Path> threads = Files.list(tasks)) {
      for (Path thread : threads.toList()) {
        try {
          List<String> status = Files.readAllLines(thread.resolve("status"));
          switches.put(
              thread.getFileName().toString(),
              new Switches(
                  Files.readString(thread.resolve("comm")).strip(),
                  number(status, "voluntary_ctxt_switches:"),
                  number(status, "nonvoluntary_ctxt_switches:")));
        } catch (IOException e) {
          // The thread has ended meanwhile.
        }
      }
    }
    return switches;
  }

  private static long number(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  int threads() {
    return switches.size();
  }

  private double seconds(ProcessUsage before) {
    return (nanos - before.nanos) / SECOND;
  }

  /** Milliseconds of processor time a minute of the threads that live, to the nanosecond. */
  double cpuMillisPerMinute(ProcessUsage before) {
    return (cpuNanos - before.cpuNanos) / 1e6 / seconds(before) * 60;
  }

  /** The same with threads that have ended meanwhile, in steps of 10 ms. */
  double tickMillisPerMinute(ProcessUsage before) {
    return (ticks - before.ticks) * 10 / seconds(before) * 60;
  }

  /** How often a second one of its threads began to run. */
  double wakeUps(ProcessUsage before) {
    return byThread(before).values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The same by the names of the threads. */
  Map<String, Double> byThread(ProcessUsage before) {
    var byName = new TreeMap<String, Double>();
    switches.forEach((thread, now) ->
        byName.merge(
            now.name(), (now.all() - before.of(thread).all()) / seconds(before), Double::sum));
    byName.values().removeIf(wakeUps -> wakeUps == 0);
    return byName;
  }

  private Switches of(String thread) {
    return switches.getOrDefault(thread, Switches.NONE);
  }
}
