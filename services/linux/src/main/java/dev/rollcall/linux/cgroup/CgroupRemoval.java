package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.nio.file.Files;
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

  private List<Integer> pids = List.of();
  private String last = "";

  private CgroupRemoval() {}

  /**
   * Removes a cgroup and all below it, the deepest first. Children that appear meanwhile are
   * removed too, and a directory that is busy although it is empty (a process leaves {@code
   * cgroup.procs} before the kernel counts it out) is tried again until the patience ends, after
   * the others.
   */
  public static Outcome remove(CgroupDirectory top, BoundedWait patience) {
    String last = "";
    do {
      var removal = new CgroupRemoval();
      try {
        if (top.anyFromBelow(removal::isOccupied)) {
          return new Outcome.Occupied(removal.pids);
        }
        if (!top.exists()) {
          return new Outcome.Removed();
        }
        last = removal.last;
      } catch (IOException e) {
        last = e.toString();
      }
    } while (patience.pause());
    return new Outcome.Refused("remove " + top + ": " + last);
  }

  /** Whether a process is in it. If there is none, it is removed. */
  private boolean isOccupied(CgroupDirectory directory) throws IOException {
    pids = directory.pids();
    if (pids.isEmpty()) {
      try {
        Files.deleteIfExists(directory.path());
      } catch (IOException busy) {
        last = busy.toString();
      }
    }
    return !pids.isEmpty();
  }
}
