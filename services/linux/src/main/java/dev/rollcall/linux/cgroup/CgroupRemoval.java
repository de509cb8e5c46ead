package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Removes cgroups. The kernel's EBUSY does not say why, so this looks. */
public final class CgroupRemoval {
  /** How a removal ends. */
  public sealed interface Outcome {
    /** The directory and all below it are gone. */
    record Removed() implements Outcome {}

    /** Processes are still in it: they must end or be moved first. */
    record Occupied(List<Integer> pids) implements Outcome {}

    /**
     * @param reason for people: the directory, and what the kernel said to the last attempt
     */
    record Refused(String reason) implements Outcome {}
  }

  private CgroupRemoval() {}

  /**
   * Removes a cgroup and all below it, the deepest first. Children that appear meanwhile are
   * removed too, and a directory that is busy although it is empty (a process leaves {@code
   * cgroup.procs} before the kernel counts it out) is tried again until the patience ends.
   */
  public static Outcome remove(CgroupDirectory top, BoundedWait patience) {
    String last = "";
    do {
      try {
        List<CgroupDirectory> tree = top.tree();
        for (CgroupDirectory directory : tree.reversed()) {
          List<Integer> pids = directory.pids();
          if (!pids.isEmpty()) {
            return new Outcome.Occupied(pids);
          }
          delete(directory);
        }
        if (!top.exists()) {
          return new Outcome.Removed();
        }
      } catch (IOException e) {
        last = e.toString();
      }
    } while (patience.pause());
    return new Outcome.Refused("remove " + top + ": " + last);
  }

  private static void delete(CgroupDirectory directory) throws IOException {
    try {
      Files.delete(directory.path());
    } catch (NoSuchFileException gone) {
      // Another process has removed it already.
    }
  }
}
