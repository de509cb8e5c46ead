package dev.rollcall.load.scrape;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what cgroup_exporter 1.2 reads on cgroup v2, with the JDK's own means: all processes below
 * a cgroup, the cgroup of each, and for each job found so the files of containerd/cgroups' {@code
 * Stat}, {@code memory.stat} once more, {@code cpuset.cpus}, pressures, and program and user of a
 * process. Files that are not there are looked for as well. Writes a line for each number.
 */
final class PlainReader {
  private static final List<String> FILES =
      List.of(
          "cgroup.controllers",
          "pids.current",
          "pids.max",
          "cpu.stat",
          "memory.stat",
          "memory.current",
          "memory.peak",
          "memory.max",
          "memory.swap.current",
          "memory.swap.max",
          "memory.events",
          "io.stat",
          "rdma.current",
          "rdma.max",
          "memory.stat",
          "cpuset.cpus",
          "cpu.pressure",
          "memory.pressure",
          "io.pressure");

  private final Path scope;
  private final Path mount;

  /**
   * @param mount of the hierarchy in which {@code scope} is
   */
  PlainReader(Path scope, Path mount) {
    this.scope = scope;
    this.mount = mount;
  }

  /** The page, and how many jobs are on it. */
  String page() throws IOException {
    Map<String, List<String>> jobs = new TreeMap<>();
    try (var directories = Files.walk(scope)) {
      for (Path directory : (Iterable<Path>) directories.filter(Files::isDirectory)::iterator) {
        for (String pid : Files.readAllLines(directory.resolve("cgroup.procs"))) {
          jobs.computeIfAbsent(job(pid), _ -> new ArrayList<>()).add(pid);
        }
      }
    }
    var page = new StringBuilder();
    for (Map.Entry<String, List<String>> job : jobs.entrySet()) {
      write(job.getKey(), job.getValue().getFirst(), page);
    }
    return page.toString();
  }

  private String job(String pid) throws IOException {
    String below = "/" + mount.relativize(scope) + "/";
    for (String line : Files.readAllLines(Path.of("/proc", pid, "cgroup"))) {
      int at = line.indexOf(below);
      if (at >= 0) {
        return line.substring(at + below.length()).split("/", 2)[0];
      }
    }
    throw new IOException("process " + pid + " is not below " + scope);
  }

  private void write(String job, String pid, StringBuilder page) throws IOException {
    Map<String, Double> values = new HashMap<>();
    for (String file : FILES) {
      try {
        for (String line : Files.readAllLines(scope.resolve(job).resolve(file))) {
          numbers(file, line, values);
        }
      } catch (NoSuchFileException withoutController) {
        continue;
      }
    }
    String program = Files.readSymbolicLink(Path.of("/proc", pid, "exe")).toString();
    String uid =
        Files.readAllLines(Path.of("/proc", pid, "status")).stream()
            .filter(line -> line.startsWith("Uid:"))
            .findFirst()
            .orElse("");
    page.append("info{job=\"%s\",program=\"%s\",uid=\"%s\"} 1\n".formatted(job, program, uid));
    values.forEach((name, value) -> page.append("%s{job=\"%s\"} %s\n".formatted(name, job, value)));
  }

  private static void numbers(String file, String line, Map<String, Double> values) {
    String[] words = line.split(" ", -1);
    for (String word : words) {
      String number = word.substring(word.indexOf('=') + 1);
      if (number.matches("[0-9.]+")) {
        values.put(file + "_" + words[0] + "_" + word.split("=", 2)[0], Double.valueOf(number));
      }
    }
  }
}
