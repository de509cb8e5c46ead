package dev.rollcall.port;

import dev.rollcall.model.allocation.SessionSetup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The cgroup of a job's sessions, and the properties that they get.
 *
 * @param cgroups one for each hierarchy; the one that identifies the job comes first
 * @param environmentKnown false while a task runs whose environment was not read yet: a login waits
 *     for it
 */
public record SessionPlace(
    List<Cgroup> cgroups, SessionSetup setup, Container container, boolean environmentKnown) {
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

  /**
   * The namespaces of a job that its sessions join.
   *
   * @param namespaceFiles each keeps a namespace, in the order of joining; none of a user namespace
   * @param environment variables of the processes that join them
   * @param userNamespace whether the namespaces belong to a user namespace of the job's user, which
   *     root does not join: no file is named then
   */
  public record Container(
      List<Path> namespaceFiles, Map<String, String> environment, boolean userNamespace) {
    /** Of a job whose sessions join no namespace. */
    public static final Container NONE = new Container(List.of(), Map.of(), false);

    public Container {
      namespaceFiles = List.copyOf(namespaceFiles);
      environment = Map.copyOf(environment);
    }
  }

  public SessionPlace {
    cgroups = List.copyOf(cgroups);
  }

  /** With a known environment. */
  public SessionPlace(List<Cgroup> cgroups, SessionSetup setup, Container container) {
    this(cgroups, setup, container, /* environmentKnown= */ true);
  }
}
