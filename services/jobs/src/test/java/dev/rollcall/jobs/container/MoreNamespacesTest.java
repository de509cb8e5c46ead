package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static dev.rollcall.jobs.container.ContainerRig.said;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.port.JobNamespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Namespaces that the program of services/container makes, which is built before this module. */
@Tag("root")
class MoreNamespacesTest {
  private static final Path MAKER = ownMaker();

  /**
   * The program under a name of this JVM's own, which tells its processes from those of tests
   * beside it.
   */
  private static Path ownMaker() {
    Path built = Path.of("../container/target/rollcall-namespaces").toAbsolutePath().normalize();
    Path own = built.resolveSibling("rollcall-namespaces-" + ProcessHandle.current().pid());
    try {
      Files.deleteIfExists(own);
      Files.createLink(own, built);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    own.toFile().deleteOnExit();
    return own;
  }

  static ContainerRig with(NamespaceType... kinds) {
    ContainerRig rig = new ContainerRig();
    rig.namespaces(of(kinds));
    return rig;
  }

  static MoreNamespaces of(NamespaceType... kinds) {
    return new MoreNamespaces(MAKER, Set.copyOf(Arrays.asList(kinds)), Duration.ofSeconds(10));
  }

  private static String inside(JobContainers containers, String script) throws IOException {
    List<String> words = new ArrayList<>(List.of("nsenter"));
    containers
        .files(job(42))
        .forEach(
            (kind, file) -> words.add("--" + (kind.equals("mnt") ? "mount" : kind) + "=" + file));
    words.addAll(List.of("--", "sh", "-c", script));
    return said(words.toArray(String[]::new));
  }

  /** Those that live: the dead, who may be there until somebody looks, have no program. */
  static List<Long> residents() {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> {
          try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe")).equals(MAKER);
          } catch (IOException ended) {
            return false;
          }
        })
        .toList();
  }

  @Test
  void aJobHasItsOwnOfEachKind() throws IOException {
    try (ContainerRig rig =
        with(
            NamespaceType.PID,
            NamespaceType.IPC,
            NamespaceType.UTS,
            NamespaceType.NET,
            NamespaceType.CGROUP)) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals(
          List.of("pid", "ipc", "uts", "net", "cgroup", "mnt"),
          List.copyOf(containers.files(job(42)).keySet()));
      for (String kind : containers.files(job(42)).keySet()) {
        String own = Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind)).toString();
        assertNotEquals(own, inside(containers, "readlink /proc/self/ns/" + kind), kind);
      }
      // Its process 1, and what looks.
      assertEquals("rollcall:42", inside(containers, "cat /proc/1/comm"));
      assertEquals(
          "lo",
          inside(
              containers,
              "ls /proc/1/root >/dev/null 2>&1; sed -n 's/^ *\\([a-z0-9]*\\):.*/\\1/p'"
                  + " /proc/net/dev"));
      try (JobNamespaces namespaces = containers.open(job(42))) {
        assertEquals(
            EnumSet.of(
                NamespaceType.PID,
                NamespaceType.IPC,
                NamespaceType.UTS,
                NamespaceType.NET,
                NamespaceType.CGROUP,
                NamespaceType.MOUNT),
            EnumSet.copyOf(
                namespaces.inOrder().stream().map(JobNamespaces.Namespace::kind).toList()));
        assertEquals(NamespaceType.MOUNT, namespaces.inOrder().getLast().kind());
      }
      assertEquals(1, residents().size());
      containers.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
      assertEquals(1, rig.mounts().size());
      rig.awaitNone(() -> !residents().isEmpty());
    }
  }

  /** A program that reads mountinfo, as openjdk 17, finds the job's part and no other. */
  @Test
  @Tag("v1")
  void aHierarchyHasOneMountWhichBeginsWithTheJobsCgroup() throws IOException {
    Path point = Path.of("/sys/fs/cgroup/memory");
    Path cgroup = point.resolve("rollcall-namespaces-test-" + ProcessHandle.current().pid());
    Files.createDirectory(cgroup);
    try (ContainerRig rig = with(NamespaceType.CGROUP)) {
      Files.writeString(cgroup.resolve("memory.limit_in_bytes"), "524288000");
      JobContainers containers = rig.open();
      List<Path> procs = List.of(cgroup.resolve("cgroup.procs"));
      containers.create(
          new Job(job(42), ALICE, ALICE, Instant.EPOCH, JobState.BEGINNING),
          rig.rules(),
          new OwnCgroups(procs, procs, Map.of(cgroup, point)),
          Map.of());
      assertEquals(
          "/",
          inside(containers, "awk '$5 == \"" + point + "\" { print $4 }' /proc/self/mountinfo"));
      assertEquals("524288000", inside(containers, "cat " + point + "/memory.limit_in_bytes"));
      assertEquals(
          "read-only", inside(containers, "touch " + point + "/x 2>/dev/null || echo read-only"));
      containers.delete(job(42), ALICE, ALICE);
    } finally {
      Files.delete(cgroup);
    }
  }

  @Test
  void aNetworkNamespaceOfTheNodesIsTaken() throws IOException {
    String name = "rollcall-test-" + ProcessHandle.current().pid();
    said("ip", "netns", "add", name);
    try (ContainerRig rig = new ContainerRig()) {
      rig.network((job, user) -> Path.of("/run/netns", name));
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals(List.of("net", "mnt"), List.copyOf(containers.files(job(42)).keySet()));
      assertEquals(
          said("ip", "netns", "exec", name, "readlink", "/proc/self/ns/net"),
          inside(containers, "readlink /proc/self/ns/net"));
      containers.delete(job(42), ALICE, ALICE);
      assertEquals(name, said("ip", "netns", "list").replaceFirst(" .*", ""));
    } finally {
      said("ip", "netns", "delete", name);
    }
  }

  @Test
  void whatIsNoNetworkNamespaceIsNamed() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      rig.network((job, user) -> Path.of("/etc/hostname"));
      JobContainers containers = rig.open();
      var failed =
          assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
      assertEquals(
          "container: pin /etc/hostname: /etc/hostname is not a network namespace",
          failed.getMessage());
      assertFalse(Files.exists(rig.pin(42)));
    }
  }

  @Test
  void whatTheProgramSaysIsTold() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      var wanted =
          new MoreNamespaces(
              Path.of("/bin/false"), Set.of(NamespaceType.IPC), Duration.ofSeconds(1));
      rig.namespaces(wanted);
      JobContainers containers = rig.open();
      var failed =
          assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
      assertEquals("container: make the namespaces [IPC]: false said 'null'", failed.getMessage());
      rig.awaitEmptyBase();
      assertFalse(Files.exists(rig.pin(42)));
    }
  }

  @Test
  void ofABeginningThatFailsNoProcessStays() throws IOException {
    try (ContainerRig rig = with(NamespaceType.PID)) {
      rig.script(Path.of("/bin/false"));
      JobContainers containers = rig.open();
      var failed =
          assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
      assertEquals("container: CloneNSScript: /bin/false ended with status 1", failed.getMessage());
      rig.awaitNone(() -> !residents().isEmpty());
      assertEquals(1, rig.mounts().size());
      rig.awaitEmptyBase();
    }
    assertTrue(residents().isEmpty());
  }
}
