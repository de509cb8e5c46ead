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
  /** In the script's environment: another process that it is to look at, in place of its own. */
  static final String PROBED = "ROLLCALL_PROBED";

  /**
   * For any POSIX shell. Of the devices only those are tried whose opening has no effect, and none
   * for another process. Newlines in variables become spaces.
   */
  public static final String SCRIPT =
      """
      p=${ROLLCALL_PROBED:-self}
      [ $p = self ] || [ -r /proc/$p/environ ] || { echo "cannot read /proc/$p" >&2; exit 1; }
      echo @cgroup; cat /proc/$p/cgroup
      echo @rlimits; cat /proc/$p/limits; echo "oom_score_adj $(cat /proc/$p/oom_score_adj)"
      [ $p != self ] || echo @devices
      for d in /dev/null /dev/nvidia[0-9]* /dev/nvidiactl /dev/dri/* /dev/kfd /dev/infiniband/*; do
        [ $p = self ] && [ -c "$d" ] || continue
        if (exec 3<"$d") 2>/dev/null; then echo "$d opens"; else echo "$d is refused"; fi
      done
      echo @environment
      if [ $p = self ]; then env -0; else cat /proc/$p/environ; fi | tr '\\n\\0' ' \\n'
      echo @groups; g=
      while read -r k a b c; do
        case $k in Uid:) echo "uid $b" ;; Gid:|Groups:) g="$g $a $b $c" ;; esac
      done </proc/$p/status
      echo "gids $(echo $g | tr ' ' '\\n' | sort -nu | tr '\\n' ' ')"
      echo @namespaces
      for n in mnt pid net ipc user uts; do echo "$n $(readlink /proc/$p/ns/$n)"; done
      [ -r /proc/$p/status ] && echo @end
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
    for (Part part : Part.values()) {
      List<String> lines = sections.get(part.word());
      if (lines != null) {
        parts.put(part, values(part, lines));
      }
    }
    return new ProcessView(parts);
  }

  private static SortedMap<String, String> values(Part part, List<String> lines) {
    return switch (part) {
      case CGROUP -> cgroup(lines);
      case RLIMITS -> rlimits(lines);
      case ENVIRONMENT -> pairs(lines, "=");
      case LIMITS, DEVICES, GROUPS, NAMESPACES -> pairs(lines, " ");
    };
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
  private static SortedMap<String, String> cgroup(List<String> lines) {
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

  /** The lines of /proc/PID/limits, and oom_score_adj. */
  private static SortedMap<String, String> rlimits(List<String> lines) {
    var values = new TreeMap<String, String>();
    for (String line : lines) {
      Matcher limit = LIMIT.matcher(line);
      if (limit.matches()) {
        values.put(limit.group(1), limit.group(2) + " " + limit.group(3));
      } else if (line.startsWith("oom_score_adj ")) {
        values.put("oom_score_adj", line.substring(14));
      }
    }
    return values;
  }

  private static SortedMap<String, String> pairs(List<String> lines, String between) {
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
