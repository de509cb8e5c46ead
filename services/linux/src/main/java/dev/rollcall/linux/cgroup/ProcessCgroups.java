package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.KernelFile;
import dev.rollcall.linux.KernelText;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cgroups of one process: {@code /proc/PID/cgroup}.
 *
 * @param paths by v1 controller, and under "" the path in v2
 */
public record ProcessCgroups(Map<String, String> paths) {
  /** The v2 hierarchy, whose line names no controller. */
  public static final String V2 = "";

  public ProcessCgroups {
    paths = Map.copyOf(paths);
  }

  /**
   * @throws ErrnoException ENOENT if there is no such process, ESRCH if it ends while it is read
   */
  public static ProcessCgroups read(Path proc, int pid) throws ErrnoException {
    byte[] file = KernelFile.read(proc + "/" + pid + "/cgroup");
    return parse(KernelText.lines(new String(file, UTF_8)));
  }

  /** Reads lines of {@code id:controller,controller:path}. A path may hold colons. */
  public static ProcessCgroups parse(List<String> lines) {
    Map<String, String> paths = new HashMap<>();
    for (String line : lines) {
      String[] fields = line.split(":", 3);
      if (fields.length < 3) {
        continue;
      }
      // A line without controllers is v2's only when its id is 0.
      if (fields[1].isEmpty() && !fields[0].equals("0")) {
        continue;
      }
      for (String controller : fields[1].split(",", -1)) {
        paths.put(controller, fields[2]);
      }
    }
    return new ProcessCgroups(paths);
  }

  /**
   * @param hierarchy "" for v2, else a v1 controller
   */
  public Optional<String> in(String hierarchy) {
    return Optional.ofNullable(paths.get(hierarchy));
  }
}
