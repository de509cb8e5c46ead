package dev.rollcall.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the mounts that a cluster could leave behind. Other tests have some of their own. */
public final class MachineMounts {
  private static final List<String> TEMPORARY = List.of("/tmp/", "/var/tmp/", "/dev/shm/");

  private MachineMounts() {}

  /** Lines of {@code /proc/self/mounts}, in order: those of clusters, and those of no test. */
  public static List<String> read() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .filter(line -> {
          String point = line.split(" ", -1)[1];
          return point.contains("rollcall-cluster")
              || TEMPORARY.stream().noneMatch(point::startsWith);
        })
        .sorted()
        .toList();
  }
}
