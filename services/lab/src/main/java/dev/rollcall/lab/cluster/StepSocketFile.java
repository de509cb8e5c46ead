package dev.rollcall.lab.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cgroup files and namespaces by which a process enters a step of a job, as the agent names
 * them.
 *
 * @param procs the cgroup.procs files to which it writes its pid
 * @param namespaces files of the namespaces that it joins, by their names in /proc/PID/ns
 */
public record StepSocketFile(List<Path> procs, Map<String, Path> namespaces) {
  public StepSocketFile {
    procs = List.copyOf(procs);
    namespaces = Map.copyOf(namespaces);
  }

  /** What leads into a cgroup alone. */
  public static StepSocketFile of(Path procs) {
    return new StepSocketFile(List.of(procs), Map.of());
  }

  /** Whether the namespaces are joined by the step's user alone, and not by root. */
  boolean isOwnersAlone() {
    return namespaces.containsKey("user");
  }

  /** Options of nsenter(1). */
  List<String> joining() {
    return new TreeMap<>(namespaces)
        .entrySet().stream()
            .map(each ->
                "--"
                    + (each.getKey().equals("mnt") ? "mount" : each.getKey())
                    + "="
                    + each.getValue())
            .toList();
  }
}
