package dev.rollcall.cli.verify;

import dev.rollcall.linux.KernelText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shell script that prints what its own process sees, and the parser of its output. */
public final class ProcessScript {
  /**
   * For any POSIX shell. Of the devices only those are tried whose opening has no effect. Newlines
   * in variables become spaces.
   */
  public static final String SCRIPT =
      """
      echo @cgroup; cat /proc/self/cgroup
      echo @rlimits; cat /proc/self/limits
      echo @devices
      for d in /dev/null /dev/nvidia[0-9]* /dev/nvidiactl /dev/dri/* /dev/kfd /dev/infiniband/*; do
        [ -c "$d" ] || continue
        if (exec 3<"$d") 2>/dev/null; then echo "$d opens"; else echo "$d is refused"; fi
      done
      echo @environment; env -0 | tr '\\n\\0' ' \\n'
      echo @groups; echo "uid $(id -u)"; echo "gids $(id -G | tr ' ' '\\n' | sort -nu | tr '\\n' ' ')"
      echo @namespaces
      for n in mnt pid net ipc user uts; do echo "$n $(readlink /proc/self/ns/$n)"; done
      echo @end
      """;

  private static final Pattern JOB = Pattern.compile("/job_([0-9]+)(/|$)");
  private static final Pattern LIMIT =
      Pattern.compile("^(Max [a-z -]+?) {2,}(\\S+) +(\\S+)( .*)?$");

  private ProcessScript() {}

  /**
   * Reads what the script wrote.
   *
   * @throws IllegalArgumentException if it was cut off
   */
  public static ProcessView read(String output) {
    Map<String, List<String>> sections = sections(output);
    if (!sections.containsKey("end")) {
      throw new IllegalArgumentException("the probe ended early: " + output.strip());
    }
    var parts = new EnumMap<Part, SortedMap<String, String>>(Part.class);
    parts.put(Part.CGROUP, cgroup(sections.getOrDefault("cgroup", List.of())));
    parts.put(Part.RLIMITS, rlimits(sections.getOrDefault("rlimits", List.of())));
    parts.put(Part.DEVICES, pairs(sections.getOrDefault("devices", List.of()), " "));
    parts.put(Part.ENVIRONMENT, pairs(sections.getOrDefault("environment", List.of()), "="));
    parts.put(Part.GROUPS, pairs(sections.getOrDefault("groups", List.of()), " "));
    parts.put(Part.NAMESPACES, pairs(sections.getOrDefault("namespaces", List.of()), " "));
    return new ProcessView(parts);
  }

  private static Map<String, List<String>> sections(String output) {
    var sections = new TreeMap<String, List<String>>();
    List<String> current = new ArrayList<>();
    for (String line : KernelText.lines(output)) {
      if (line.matches("@[a-z]+")) {
        current = new ArrayList<>();
        sections.put(line.substring(1), current);
      } else {
        current.add(line);
      }
    }
    return sections;
  }

  /** The lines of /proc/PID/cgroup: the job, and under "path ..." where it is in each hierarchy. */
  static SortedMap<String, String> cgroup(List<String> lines) {
    var values = new TreeMap<String, String>();
    for (String line : lines) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3) {
        values.put("path " + fields[1], fields[2]);
        Matcher job = JOB.matcher(fields[2]);
        if (job.find()) {
          values.put("job", job.group(1));
        }
      }
    }
    values.putIfAbsent("job", "none");
    return values;
  }

  /** The lines of /proc/PID/limits. */
  static SortedMap<String, String> rlimits(List<String> lines) {
    var values = new TreeMap<String, String>();
    for (String line : lines) {
      Matcher limit = LIMIT.matcher(line);
      if (limit.matches()) {
        values.put(limit.group(1), limit.group(2) + " " + limit.group(3));
      }
    }
    return values;
  }

  static SortedMap<String, String> pairs(List<String> lines, String between) {
    var values = new TreeMap<String, String>();
    for (String line : lines) {
      int at = line.indexOf(between);
      if (at > 0) {
        values.put(line.substring(0, at), line.substring(at + 1).strip());
      }
    }
    return values;
  }
}
