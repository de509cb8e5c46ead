package dev.rollcall.cli.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The limits of a process by its cgroups: the lowest of each cgroup and its ancestors. */
public final class CgroupLimits {
  private static final List<String> NARROWEST_V2 =
      List.of("memory.max", "memory.high", "memory.swap.max", "pids.max");
  private static final List<String> OWN_V2 =
      List.of("cpuset.cpus.effective", "cpuset.mems.effective");
  private static final Map<String, String> NARROWEST_V1 =
      Map.of("memory", "memory.limit_in_bytes", "pids", "pids.max");
  private static final Map<String, List<String>> OWN_V1 =
      Map.of("cpuset", List.of("cpuset.cpus", "cpuset.mems"), "cpu", List.of("cpu.cfs_quota_us"));

  private final Map<String, Path> mounts = new TreeMap<>();

  private CgroupLimits() {}

  /**
   * @param mounts in the form of /proc/self/mounts
   */
  public static CgroupLimits of(List<String> mounts) {
    var limits = new CgroupLimits();
    for (String line : mounts) {
      String[] fields = line.split(" ", -1);
      if (fields.length < 4) {
        continue;
      }
      if (fields[2].equals("cgroup2")) {
        limits.mounts.put("", Path.of(fields[1]));
      } else if (fields[2].equals("cgroup")) {
        for (String controller : fields[3].split(",", -1)) {
          limits.mounts.put(controller, Path.of(fields[1]));
        }
      }
    }
    return limits;
  }

  /** The same sight, with the limits that its cgroups have. */
  public ProcessView complete(ProcessView sight) {
    SortedMap<String, String> values = new TreeMap<>();
    sight
        .parts()
        .getOrDefault(Part.CGROUP, new TreeMap<>())
        .forEach((name, path) -> {
          if (name.startsWith("path ")) {
            Arrays.stream(name.substring("path ".length()).split(",", -1))
                .forEach(controller -> read(controller, path, values));
          }
        });
    return sight.with(Part.LIMITS, values);
  }

  private void read(String controller, String path, SortedMap<String, String> values) {
    Path mount = mounts.get(controller);
    if (mount == null) {
      return;
    }
    Path directory = mount.resolve(path.replaceFirst("^/+", ""));
    if (controller.isEmpty()) {
      NARROWEST_V2.forEach(file -> narrowest(mount, directory, file, CgroupLimits::number, values));
      OWN_V2.forEach(file -> own(directory, file, values));
      narrowest(mount, directory, "cpu.max", CgroupLimits::share, values);
    } else {
      Optional.ofNullable(NARROWEST_V1.get(controller))
          .ifPresent(file -> narrowest(mount, directory, file, CgroupLimits::number, values));
      OWN_V1.getOrDefault(controller, List.of()).forEach(file -> own(directory, file, values));
    }
  }

  private static void own(Path directory, String file, SortedMap<String, String> values) {
    text(directory.resolve(file)).ifPresent(text -> values.put(file, text));
  }

  private static void narrowest(
      Path mount,
      Path directory,
      String file,
      ToDoubleFunction<String> measure,
      SortedMap<String, String> values) {
    // The directory and those above it, up to the mount.
    Stream.iterate(directory, at -> at != null && at.startsWith(mount), Path::getParent)
        .flatMap(at -> text(at.resolve(file)).stream())
        .min(Comparator.comparingDouble(measure))
        .ifPresent(text -> values.put(file, text));
  }

  /** Quotas are compared as parts of their periods. */
  private static double share(String text) {
    String[] words = text.split(" ", -1);
    return words.length < 2 || words[0].equals("max")
        ? Double.MAX_VALUE
        : (double) number(words[0]) / number(words[1]);
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  private static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException notThere) {
      return Optional.empty();
    }
  }
}
