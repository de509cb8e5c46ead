package dev.rollcall.port;

import dev.rollcall.model.allocation.SessionSetup;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the sessions of a job are put, and what they get.
 *
 * @param cgroups one for each hierarchy; the one that identifies the job comes first
 * @param userNamespace whether the job's namespaces belong to a user namespace of its user
 */
public record SessionPlace(List<Cgroup> cgroups, SessionSetup setup, boolean userNamespace) {
  /**
   * The place in one hierarchy.
   *
   * @param hierarchy "" for v2, else a v1 controller
   * @param path as {@code /proc/PID/cgroup} shows it
   * @param ownLeaf whether each session has a leaf of its own below; else all enter it itself
   */
  public record Cgroup(String hierarchy, Path directory, String path, boolean ownLeaf) {
    /** The parent of the sessions' leaves. */
    public Cgroup(String hierarchy, Path directory, String path) {
      this(hierarchy, directory, path, /* ownLeaf= */ true);
    }
  }

  public SessionPlace {
    cgroups = List.copyOf(cgroups);
  }
}
