package dev.rollcall.linux.systemd;

import static java.lang.System.Logger.Level.INFO;

import dev.rollcall.linux.Xattr;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The cgroup leaf of this process. A cgroup that delegates controllers contains no processes, and
 * systemd writes its settings one level above.
 *
 * <ul>
 *   <li>Started by systemd, in a unit with Delegate=yes: {@code <unit>/agent}.
 *   <li>Started by hand: {@code <scope>/agent}, so that it does not end with the login session of
 *       whoever started it.
 *   <li>In a container: where it is, because the container's limits and its end apply there.
 * </ul>
 */
public record AgentLeaf(CgroupMount mount, Proc proc) {
  private static final System.Logger LOG = System.getLogger(AgentLeaf.class.getName());
  private static final String LEAF = "agent";
  private static final String DELEGATED = "trusted.delegate";

  /** Set by systemd on a unit's cgroup (since 232) to what the unit's processes see as well. */
  private static final String INVOCATION = "trusted.invocation_id";

  private static final Duration TO_LEAVE = Duration.ofSeconds(1);

  /**
   * Moves this process.
   *
   * @param invocation of the environment, {@code INVOCATION_ID} of systemd.exec(5)
   * @param scope of the jobs; absent where systemd has no part in it, and a hand-started agent
   *     stays where it is
   * @return the directory this process is in now
   */
  public CgroupDirectory enter(Optional<String> invocation, Optional<CgroupDirectory> scope)
      throws IOException {
    CgroupDirectory here = here();
    if (String.valueOf(here.path().getFileName()).equals(LEAF)) {
      return here;
    }
    if (byUnit(here, invocation)) {
      boolean delegated = Xattr.get(here.path(), DELEGATED).equals(Optional.of("1"));
      return delegated ? into(here, here.child(LEAF)) : here;
    }
    return scope.isEmpty() || isInContainer() ? here : into(here, scope.get().child(LEAF));
  }

  /** Whether process 1 has another mount namespace. */
  private boolean isInContainer() throws IOException {
    Path own = proc.root().resolve("self/ns/mnt");
    Path first = proc.root().resolve("1/ns/mnt");
    return !Files.readSymbolicLink(own).equals(Files.readSymbolicLink(first));
  }

  /** Whether systemd started this process in this cgroup: the variable alone is inherited. */
  private static boolean byUnit(CgroupDirectory here, Optional<String> invocation)
      throws IOException {
    return invocation.isPresent() && Xattr.get(here.path(), INVOCATION).equals(invocation);
  }

  private CgroupDirectory here() throws IOException {
    String path =
        ProcessCgroups.read(proc.root(), self())
            .in(ProcessCgroups.V2)
            .orElseThrow(() -> new IOException("this process is in no cgroup of v2"));
    try {
      return new CgroupDirectory(mount.directoryOf(path));
    } catch (IllegalArgumentException outside) {
      throw new IOException(outside.getMessage(), outside);
    }
  }

  private static int self() {
    return (int) ProcessHandle.current().pid();
  }

  private static CgroupDirectory into(CgroupDirectory from, CgroupDirectory leaf)
      throws IOException {
    leaf.create();
    leaf.add(self());
    BoundedWait patience = BoundedWait.of(TO_LEAVE);
    while (from.pids().contains(self())) {
      if (!patience.pause()) {
        throw new IOException("this process is still in " + from);
      }
    }
    LOG.log(INFO, "the agent is in {0}", leaf);
    return leaf;
  }
}
