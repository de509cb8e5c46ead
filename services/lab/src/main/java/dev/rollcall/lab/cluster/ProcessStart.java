package dev.rollcall.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The start time of a process, which distinguishes it from a later one with the same pid. */
public final class ProcessStart {
  private ProcessStart() {}

  /** Whether the process runs or sleeps: a dead one that nobody has waited for yet does not. */
  public static boolean isAlive(long pid) {
    return afterName(pid).map(fields -> !"ZX".contains(fields[0])).orElse(false);
  }

  /** Whether every thread of the process was stopped by a signal. */
  public static boolean isStopped(long pid) {
    return threadsAll(pid, thread -> says(thread, "State:\tT (stopped)"));
  }

  /** Whether every thread of the process is traced, by strace or a debugger. */
  public static boolean isTraced(long pid) {
    return threadsAll(pid, thread -> !says(thread, "TracerPid:\t0"));
  }

  private static boolean threadsAll(long pid, Predicate<Path> holds) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.allMatch(holds);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean says(Path thread, String line) {
    try {
      return Files.readAllLines(thread.resolve("status")).contains(line);
    } catch (IOException e) {
      return true; // the thread has ended
    }
  }

  /** Field 22 of /proc/PID/stat, in clock ticks since boot; empty if there is no such process. */
  static Optional<String> startTime(long pid) {
    return afterName(pid).map(fields -> fields[19]);
  }

  /** From field 3, the state, on. */
  private static Optional<String[]> afterName(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name in field 2 may hold anything, so count from the last parenthesis.
      return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
