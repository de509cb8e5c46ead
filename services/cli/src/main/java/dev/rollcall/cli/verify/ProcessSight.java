package dev.rollcall.cli.verify;

import dev.rollcall.linux.KernelText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads what a running process sees from /proc. Devices are not among it. */
public final class ProcessSight {
  private static final List<String> NAMESPACES = List.of("mnt", "pid", "net", "ipc", "user", "uts");

  private ProcessSight() {}

  /**
   * @throws IOException if it has ended, or is another user's
   */
  public static ProcessView of(Path proc, int pid) throws IOException {
    Path process = proc.resolve(Integer.toString(pid));
    var parts = new EnumMap<Part, SortedMap<String, String>>(Part.class);
    parts.put(Part.CGROUP, ProcessScript.cgroup(KernelText.lines(process.resolve("cgroup"))));
    parts.put(Part.RLIMITS, ProcessScript.rlimits(Files.readAllLines(process.resolve("limits"))));
    String environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
    parts.put(
        Part.ENVIRONMENT,
        ProcessScript.pairs(Arrays.asList(environment.replace('\n', ' ').split("\0", -1)), "="));
    parts.put(Part.GROUPS, groups(KernelText.lines(process.resolve("status"))));
    parts.put(Part.NAMESPACES, namespaces(process));
    return new ProcessView(parts);
  }

  private static SortedMap<String, String> groups(List<String> status) {
    var values = new TreeMap<String, String>();
    String gids = "";
    for (String line : status) {
      String[] words = line.split("\\s+", -1);
      switch (words[0]) {
        case "Uid:" -> values.put("uid", words[2]);
        case "Gid:", "Groups:" -> gids += " " + String.join(" ", words).replaceFirst("\\S+", "");
        default -> {}
      }
    }
    values.put(
        "gids",
        Arrays.stream(gids.strip().split("\\s+", -1))
            .map(Long::valueOf)
            .distinct()
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(" ")));
    return values;
  }

  private static SortedMap<String, String> namespaces(Path process) throws IOException {
    var values = new TreeMap<String, String>();
    for (String name : NAMESPACES) {
      values.put(name, Files.readSymbolicLink(process.resolve("ns").resolve(name)).toString());
    }
    return values;
  }
}
