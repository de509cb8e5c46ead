package dev.rollcall.load.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Stream;

/**
 * Measures how long a thread of some processes could run but had no processor: the second number of
 * schedstat of proc_pid_task (Linux 2.6.9), in nanoseconds.
 */
final class ProcessorWaits {
  private final long[] pids;
  private volatile Map<Path, Long> from = Map.of();

  ProcessorWaits(long... pids) {
    this.pids = pids;
  }

  void begin() {
    from = read();
  }

  /** The longest wait of one thread of each process since it began, added. */
  long since() {
    Map<Path, Long> began = from;
    Map<Path, Long> now = read();
    long sum = 0;
    for (long pid : pids) {
      Path tasks = tasks(pid);
      sum +=
          now.entrySet().stream()
              .filter(thread -> thread.getKey().startsWith(tasks))
              .mapToLong(thread -> thread.getValue() - began.getOrDefault(thread.getKey(), 0L))
              .max()
              .orElse(0);
    }
    return sum;
  }

  private Map<Path, Long> read() {
    var waits = new HashMap<Path, Long>();
    for (long pid : pids) {
      try (Stream<Path> threads = Files.list(tasks(pid))) {
        for (Path thread : threads.toList()) {
          try {
            waits.put(
                thread,
                new Scanner(Files.readString(thread.resolve("schedstat")))
                    .skip("\\d+ ")
                    .nextLong());
          } catch (IOException e) {
            // The thread has ended meanwhile.
          }
        }
      } catch (IOException e) {
        // The process has ended.
      }
    }
    return waits;
  }

  private static Path tasks(long pid) {
    return Path.of("/proc", Long.toString(pid), "task");
  }
}
