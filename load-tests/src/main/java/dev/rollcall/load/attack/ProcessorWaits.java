package dev.rollcall.load.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Stream;

/**
 * Measures how long one thread of a process, or the thread that began, could run but had no
 * processor: the second number of schedstat of proc_pid_task (Linux 2.6.9), in nanoseconds. A JVM's
 * compilers keep nobody waiting and do not count.
 */
final class ProcessorWaits {
  private final Path tasks;
  private volatile Path own = Path.of("/proc/thread-self");
  private volatile Map<Path, Long> from = Map.of();

  ProcessorWaits(long pid) {
    tasks = Path.of("/proc", Long.toString(pid), "task");
  }

  void begin() {
    try {
      own = own.toRealPath();
    } catch (IOException e) {
      throw new IllegalStateException("no procfs", e);
    }
    from = read();
  }

  /** The longest wait of one thread of the process since it began, and that of the own thread. */
  long since() {
    Map<Path, Long> now = read();
    Map<Path, Long> began = from;
    now.replaceAll((thread, waited) -> waited - began.getOrDefault(thread, 0L));
    long ours = now.getOrDefault(own, 0L);
    now.remove(own);
    return ours + now.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private Map<Path, Long> read() {
    var waits = new HashMap<Path, Long>();
    try (Stream<Path> threads = Files.list(tasks)) {
      threads.forEach(thread -> add(thread, waits));
    } catch (IOException e) {
      // The process has ended.
    }
    add(own, waits);
    return waits;
  }

  private static void add(Path thread, Map<Path, Long> waits) {
    try {
      if (!Files.readString(thread.resolve("comm")).contains("CompilerThre")) {
        String waited = Files.readString(thread.resolve("schedstat"));
        waits.put(thread, new Scanner(waited).skip("\\d+ ").nextLong());
      }
    } catch (IOException e) {
      // The thread has ended meanwhile.
    }
  }
}
