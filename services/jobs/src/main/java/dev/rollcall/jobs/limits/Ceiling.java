package dev.rollcall.jobs.limits;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.allocation.NumberList;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Compares limits with those of the cgroups above. v2 accepts a limit that exceeds its parent's,
 * and the parent's applies, so a batch system that allocates too much would get no error. This
 * class reports it.
 */
record Ceiling(Hierarchy hierarchy) {
  /**
   * Checks one setting against every cgroup above.
   *
   * @throws IOException naming the value, and the file that says less
   */
  void check(Setting setting, CgroupDirectory directory) throws IOException {
    switch (setting.kind()) {
      case LIST -> list(setting, directory);
      case BYTES, HUGE_BYTES -> number(setting, directory);
      case WORD -> word(setting, directory);
      case DEVICE_V1, DEVICE_V2 -> {
        // The smallest bound on the way holds, and nobody counts on the largest.
      }
    }
  }

  private void word(Setting setting, CgroupDirectory directory) throws IOException {
    switch (setting.file()) {
      case "pids.max" -> number(setting, directory);
      case "cpu.max" -> quota(setting, directory);
      default -> {
        // A weight counts beside others, and v1 itself refuses a quota that is over its parent's.
      }
    }
  }

  private void number(Setting setting, CgroupDirectory directory) throws IOException {
    long wanted = Setting.number(setting.value());
    if (wanted == Long.MAX_VALUE) {
      return;
    }
    for (CgroupDirectory above : above(directory)) {
      // memory.high is bounded by the memory.max above it.
      String file = setting.file().replace("memory.high", "memory.max");
      if (above.has(file) && Setting.number(above.read(file)) < wanted) {
        throw over(setting, above, file);
      }
    }
  }

  private void quota(Setting setting, CgroupDirectory directory) throws IOException {
    double wanted = share(setting.value());
    for (CgroupDirectory above : above(directory)) {
      if (above.has("cpu.max") && share(above.read("cpu.max")) < wanted && wanted < 1e9) {
        throw over(setting, above, "cpu.max");
      }
    }
  }

  private static double share(String text) {
    String[] words = text.split(" ", -1);
    return (double) Setting.number(words[0]) / Setting.number(words[1]);
  }

  private void list(Setting setting, CgroupDirectory directory) throws IOException {
    Optional<CgroupDirectory> above = above(directory).stream().findFirst();
    if (above.isEmpty()) {
      return;
    }
    String effective = setting.file() + ".effective";
    String file = above.get().has(effective) ? effective : setting.file();
    String has = above.get().has(file) ? above.get().read(file) : "";
    if (has.isEmpty()) {
      return;
    }
    BitSet beyond = new NumberList(setting.value()).numbers();
    beyond.andNot(new NumberList(has).numbers());
    if (!beyond.isEmpty()) {
      throw over(setting, above.get(), file);
    }
  }

  private static IOException over(Setting setting, CgroupDirectory above, String file)
      throws IOException {
    return new IOException(
        "%s %s is over the parent's: %s is %s"
            .formatted(
                setting.file(), setting.value(), above.path().resolve(file), above.read(file)));
  }

  private List<CgroupDirectory> above(CgroupDirectory directory) {
    return directory.above(hierarchy.mount().point());
  }
}
