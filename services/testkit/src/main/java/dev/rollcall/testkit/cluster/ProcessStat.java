package dev.rollcall.testkit.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What tells a process from a later one with the same pid. */
final class ProcessStat {
  private ProcessStat() {}

  /** Field 22 of /proc/PID/stat, in clock ticks since boot; empty if there is no such process. */
  static Optional<String> startTime(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name in field 2 may hold anything, so count from the last parenthesis.
      String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Optional.of(afterName[19]);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
