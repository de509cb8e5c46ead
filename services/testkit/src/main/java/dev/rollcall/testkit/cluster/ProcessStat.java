package dev.rollcall.testkit.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What tells a process from a later one with the same pid. */
public final class ProcessStat {
  private ProcessStat() {}

  /** Whether the process runs or sleeps: a dead one that nobody has waited for yet does not. */
  public static boolean isAlive(long pid) {
    return afterName(pid).map(fields -> !"ZX".contains(fields[0])).orElse(false);
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
