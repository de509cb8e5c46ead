package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks what the kernel, or the runtime of a container, permits that a cluster needs. */
final class HostCheck {
  private static final Duration PROBE_DEADLINE = Patience.ofSeconds(30);
  private static final String REMEDY = "; a container needs all rights: podman run --privileged";

  /** What the first process of a node does, in namespaces that end with it. */
  private static final String PROBE =
      """
      hostname probe
      mount -t tmpfs tmpfs /run
      mkdir /run/proc
      mount -t proc proc /run/proc
      ip link add br0 type bridge
      ip link add port0 type veth peer name port1
      """;

  private HostCheck() {}

  /** Fails with one line that says what is missing and what to do. */
  static void check() {
    nodes();
    cgroups(CgroupTree.mount());
  }

  /**
   * Whether a node can be made.
   *
   * @param runAs what starts the probe, such as setpriv(1)
   */
  static void nodes(String... runAs) {
    var argv = new ArrayList<>(List.of(runAs));
    argv.addAll(List.of("unshare", "-n", "-u", "-i", "-m", "--propagation", "private"));
    argv.addAll(List.of("sh", "-ec", PROBE));
    Result probe = Running.run(PROBE_DEADLINE, argv);
    if (!probe.ok()) {
      String reason = probe.err().strip().lines().reduce("", (first, last) -> last);
      throw new RigException("no namespaces of a node can be made here: " + reason + REMEDY);
    }
  }

  /** Whether cgroups can be made below a mount of cgroup2. */
  static void cgroups(Path mount) {
    try {
      Path probe = Files.createTempDirectory(mount, "rollcall-probe");
      Files.delete(probe);
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "permission denied" : e.getReason();
      throw new RigException(
          "no cgroup can be made in %s: %s%s".formatted(mount, reason, REMEDY), e);
    } catch (IOException e) {
      throw new RigException("no cgroup can be made in " + mount, e);
    }
  }
}
