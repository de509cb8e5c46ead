package dev.rollcall.linux.cgroup;

import dev.rollcall.linux.KernelText;
import dev.rollcall.linux.mount.MountPoints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The hierarchies this process sees: only v2, v1 controllers, or both (hybrid, with v2 mounted at
 * {@code unified}). A hierarchy that is mounted twice counts once: where it was mounted first, and
 * no other mount covers it.
 *
 * @param all those that are covered by other mounts are the last
 */
public record CgroupMounts(List<CgroupMount> all) {

  /** Options of a v1 superblock that are not controllers: cgroups(7), mount(8). */
  private static final Set<String> FLAGS =
      Set.of("rw", "ro", "none", "all", "xattr", "noprefix", "clone_children", "favordynmods");

  public CgroupMounts {
    all = List.copyOf(all);
  }

  /**
   * @param proc where procfs is mounted
   */
  public static CgroupMounts read(Path proc) throws IOException {
    return parse(KernelText.lines(proc.resolve("self/mountinfo")));
  }

  /** Reads lines of {@code /proc/PID/mountinfo}, proc_pid_mountinfo(5). */
  public static CgroupMounts parse(List<String> lines) {
    var covered = new CoveredMounts(lines);
    return new CgroupMounts(
        Stream.concat(
                lines.stream().filter(line -> !covered.isCovered(line)),
                lines.stream().filter(covered::isCovered))
            .map(CgroupMounts::line)
            .flatMap(Optional::stream)
            .toList());
  }

  private static Optional<CgroupMount> line(String line) {
    int dash = line.indexOf(" - ");
    if (dash < 0) {
      return Optional.empty();
    }
    String[] front = line.substring(0, dash).split(" ", -1);
    String[] back = line.substring(dash + 3).split(" ", -1);
    if (front.length < 6 || back.length < 3) {
      return Optional.empty();
    }
    String root = MountPoints.unescaped(front[3]);
    String at = MountPoints.unescaped(front[4]);
    if (at.indexOf('\0') >= 0) {
      return Optional.empty(); // no path has one: path_resolution(7)
    }
    // Others' mount points may be no paths in this process's locale.
    return switch (back[0]) {
      case "cgroup2" -> Optional.of(new CgroupMount(true, Set.of(), Path.of(at), root));
      case "cgroup" -> Optional.of(new CgroupMount(false, controllers(back[2]), Path.of(at), root));
      default -> Optional.empty();
    };
  }

  private static Set<String> controllers(String superOptions) {
    return Arrays.stream(superOptions.split(",", -1))
        .filter(option -> !FLAGS.contains(option) && !option.startsWith("release_agent="))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The cgroup2 mount, also the one of a hybrid. */
  public Optional<CgroupMount> v2() {
    return all.stream().filter(CgroupMount::v2).findFirst();
  }

  /** The v1 mount that holds this controller, alone or with others. */
  public Optional<CgroupMount> v1(String controller) {
    return all.stream().filter(mount -> mount.controllers().contains(controller)).findFirst();
  }
}
