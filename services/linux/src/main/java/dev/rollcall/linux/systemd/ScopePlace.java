package dev.rollcall.linux.systemd;

import dev.rollcall.linux.Xattr;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where in the v2 hierarchy the scope stands, and whose what stands there is.
 *
 * @param mount of cgroup v2
 * @param top the directory of systemd's root cgroup
 * @param slice the directory that the scope stands in
 * @param scope the unit's name, and its directory's
 */
record ScopePlace(CgroupMount mount, Path top, Path slice, String scope, Proc proc) {
  /** The leaf of the keeper below the scope, which holds no process itself. */
  static final String LEAF = "keeper";

  /** Set by systemd on what it delegates (since 236), and visible to root alone. */
  private static final String DELEGATED = "trusted.delegate";

  private static final String INIT_SCOPE = "/init.scope";
  private static final Duration TO_REMOVE = Duration.ofMillis(500);

  /** What stands where the scope should. */
  sealed interface Found {
    record Absent() implements Found {}

    /** Delegated by systemd, to us. */
    record Ours() implements Found {}

    /** Made without systemd by an earlier agent, and it holds jobs. */
    record Undelegated() implements Found {}

    record Foreign(String why) implements Found {}
  }

  static ScopePlace of(CgroupMount mount, SliceName slice, String scope, Proc proc)
      throws IOException {
    Path top = top(mount, proc);
    Path path = top.resolve(slice.path());
    return new ScopePlace(mount, top, path.normalize(), scope, proc);
  }

  /** systemd's root is where its own init.scope stands: not the mount's in a container. */
  private static Path top(CgroupMount mount, Proc proc) throws IOException {
    String init = ProcessCgroups.read(proc.root(), 1).in(ProcessCgroups.V2).orElse("/");
    if (!init.endsWith(INIT_SCOPE)) {
      return mount.point();
    }
    String root = init.substring(0, init.length() - INIT_SCOPE.length());
    try {
      return mount.directoryOf(root.isEmpty() ? "/" : root);
    } catch (IllegalArgumentException outside) {
      return mount.point();
    }
  }

  CgroupDirectory directory() {
    return new CgroupDirectory(slice.resolve(scope));
  }

  /** The same scope at the path that systemd tells of it. */
  ScopePlace at(String controlGroup) {
    return new ScopePlace(mount, top, parent(controlGroup), scope, proc);
  }

  private Path parent(String controlGroup) {
    int slash = controlGroup.lastIndexOf('/');
    return slash <= 0 ? top : top.resolve(controlGroup.substring(1, slash));
  }

  Found look() throws IOException {
    CgroupDirectory directory = directory();
    if (!directory.exists()) {
      return new Found.Absent();
    }
    boolean delegated = Xattr.get(directory.path(), DELEGATED).equals(Optional.of("1"));
    List<Integer> inside = directory.pids();
    boolean keepersOnly =
        !inside.isEmpty() && inside.stream().allMatch(pid -> Keeper.is(proc, pid, scope));
    boolean leaf = Files.isDirectory(directory.child(LEAF).path());
    if (delegated) {
      return leaf || keepersOnly
          ? new Found.Ours()
          : new Found.Foreign("it is delegated, but not to Rollcall: " + processes());
    }
    if (!inside.isEmpty() && !keepersOnly) {
      return new Found.Foreign("it is not delegated, and holds processes " + inside);
    }
    return hasJobs() ? new Found.Undelegated() : emptied();
  }

  private boolean hasJobs() throws IOException {
    for (CgroupDirectory child : directory().children()) {
      if (JobPath.jobOf(child.path().getFileName().toString()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Takes away what an agent without systemd has left, so that systemd finds a free place. */
  private Found emptied() throws IOException {
    CgroupRemoval.Outcome outcome = CgroupRemoval.remove(directory(), BoundedWait.of(TO_REMOVE));
    return outcome instanceof CgroupRemoval.Outcome.Removed
        ? new Found.Absent()
        : new Found.Foreign("it is not delegated, and cannot be removed: " + outcome);
  }

  private String processes() throws IOException {
    return "it holds processes " + directory().pidsBelow();
  }

  /** The place of this scope that a process is in; empty if it is in none of this name. */
  Optional<ScopePlace> holding(int pid) {
    try {
      return ProcessCgroups.read(proc.root(), pid)
          .in(ProcessCgroups.V2)
          .map(mount::directoryOf)
          .filter(directory -> directory.endsWith(scope))
          .map(directory ->
              new ScopePlace(mount, top, directory.resolveSibling("").normalize(), scope, proc));
    } catch (IOException | IllegalArgumentException endedOrOutside) {
      return Optional.empty();
    }
  }
}
