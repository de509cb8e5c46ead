package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.BOB;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.NamespaceType;
import dev.rollcall.port.JobNamespaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Containers whose mounts belong to a user namespace of the job's user. */
@Tag("root")
class UserNamespacesTest {
  private static final Path ENTER =
      Path.of("../container/target/rollcall-enter").toAbsolutePath().normalize();

  private static ContainerRig with(NamespaceType... kinds) throws IOException {
    ContainerRig rig = MoreNamespacesTest.with(kinds);
    // Made for one user: in here others come by.
    Files.setPosixFilePermissions(rig.top, PosixFilePermissions.fromString("rwx--x--x"));
    return rig;
  }

  private static Path pins(ContainerRig rig) {
    return rig.top.resolve("run/containers/42");
  }

  /** Processes 1 of containers of alice's. One that has ended may wait for the machine's init. */
  static List<Long> residents() {
    return MoreNamespacesTest.residents().stream().filter(pid -> isAlices(pid)).toList();
  }

  private static boolean isAlices(long pid) {
    try {
      String status = Files.readString(Path.of("/proc/" + pid + "/status"));
      return status.contains("\t" + ALICE + "\t") && !status.contains("State:\tZ");
    } catch (IOException ended) {
      return false;
    }
  }

  private record Said(int status, String out) {}

  /** What a user says who goes in by the job's pins. */
  private static Said inside(ContainerRig rig, int user, String script) throws Exception {
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + user,
                "--regid=" + user,
                "--clear-groups",
                ENTER.toString(),
                "--pins",
                pins(rig).toString(),
                "--",
                "sh",
                "-c",
                script)
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), script);
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.exitValue(), out.strip());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theJobsUserGoesInAndRootsFilesAreNobodys() throws Exception {
    try (ContainerRig rig =
        with(
            NamespaceType.USER,
            NamespaceType.PID,
            NamespaceType.IPC,
            NamespaceType.UTS,
            NamespaceType.NET,
            NamespaceType.CGROUP)) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals(
          List.of("user", "pid", "ipc", "uts", "net", "cgroup", "mnt"),
          List.copyOf(containers.files(job(42)).keySet()));
      for (String kind : containers.files(job(42)).keySet()) {
        String own = Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind)).toString();
        Said said = inside(rig, ALICE, "readlink /proc/self/ns/" + kind);
        assertEquals(0, said.status(), said::out);
        assertFalse(said.out().equals(own), kind);
      }
      assertEquals(
          new Said(0, "40001 40001 40001 65534 rollcall:42"),
          inside(
              rig,
              ALICE,
              "echo $(id -u) $(stat -c '%u %g' /tmp) $(stat -c %u /) $(cat /proc/1/comm)"));
      assertEquals(
          new Said(0, "40001 40001 1 40001 40001 1"),
          inside(rig, ALICE, "echo $(cat /proc/self/uid_map /proc/self/gid_map)"));
      assertEquals(
          new Said(0, "0000000000000000"),
          inside(rig, ALICE, "sed -n 's/CapEff:.//p' /proc/self/status"));
      containers.delete(job(42), ALICE, ALICE);
    }
  }

  @Test
  void theMountsOfTheJobAreThoseThatWereArranged() throws Exception {
    try (ContainerRig rig = with(NamespaceType.USER)) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals(new Said(0, ""), inside(rig, ALICE, "ls -A /tmp; echo it >/tmp/x"));
      assertEquals("it\n", Files.readString(rig.base.resolve("42/_tmp/x")));
      assertEquals(new Said(0, "it"), inside(rig, ALICE, "cat /tmp/x"));
      assertEquals(2, inside(rig, ALICE, "ls " + rig.base.resolve("42")).status());
      assertEquals(
          new Said(0, ""),
          inside(rig, ALICE, "sed -n '\\|" + rig.top.resolve("run") + "|p' /proc/self/mountinfo"));
    }
  }

  @Test
  void nobodyElseGoesIn() throws Exception {
    try (ContainerRig rig = with(NamespaceType.USER, NamespaceType.PID)) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      Path pins = pins(rig);
      Said bobs = inside(rig, BOB, "true");
      assertEquals(125, bobs.status());
      assertTrue(bobs.out().endsWith(pins + "/user: Permission denied"), bobs::out);
      Said roots = inside(rig, 0, "true");
      assertEquals(
          new Said(125, "rollcall-enter: this program is for a job's user, not for root"), roots);
      try (JobNamespaces namespaces = containers.open(job(42))) {
        assertEquals(new JobNamespaces.OwnersAlone(pins, Map.of()), namespaces);
        assertEquals(List.of(), namespaces.inOrder());
      }
      assertEquals(
          "drwx--x---", "d" + PosixFilePermissions.toString(Files.getPosixFilePermissions(pins)));
      assertEquals(ALICE, Files.getAttribute(pins, "unix:gid"));
      assertEquals(0, Files.getAttribute(pins, "unix:uid"));
      containers.delete(job(42), ALICE, ALICE);
    }
  }

  @Test
  void theEndTakesProcessesAndMountsAlong() throws Exception {
    try (ContainerRig rig = with(NamespaceType.USER, NamespaceType.PID)) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals(1, residents().size());
      containers.delete(job(42), ALICE, ALICE);
      rig.awaitNone(() -> !residents().isEmpty());
      assertEquals(1, rig.mounts().size());
      rig.awaitEmptyBase();
      containers.create(job(42), ALICE, ALICE);
      assertEquals(new Said(0, ""), inside(rig, ALICE, "ls -A /tmp"));
      containers.delete(job(42), ALICE, ALICE);
    }
  }

  @Test
  void theNextAgentKeepsIt() throws Exception {
    try (ContainerRig rig = with(NamespaceType.USER, NamespaceType.PID)) {
      rig.open().create(job(42), ALICE, ALICE);
      assertEquals(0, inside(rig, ALICE, "touch /tmp/x").status());
      JobContainers next = rig.open();
      next.restore(Set.of(job(42)));
      assertEquals(new Said(0, "x"), inside(rig, ALICE, "ls -A /tmp"));
      next.restore(Set.of());
      rig.awaitNone(() -> !residents().isEmpty());
      assertEquals(1, rig.mounts().size());
      rig.awaitEmptyBase();
    }
  }

  @Test
  void aBeginningThatFailsLeavesNothing() throws Exception {
    try (ContainerRig rig = with(NamespaceType.USER, NamespaceType.PID)) {
      rig.script(Path.of("/bin/false"));
      JobContainers containers = rig.open();
      assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
      rig.awaitNone(() -> !residents().isEmpty());
      assertEquals(1, rig.mounts().size());
      assertFalse(Files.exists(pins(rig)));
      rig.awaitEmptyBase();
    }
  }

  @Test
  void aJobOfRootsIsRefused() throws Exception {
    try (ContainerRig rig = with(NamespaceType.USER)) {
      JobContainers containers = rig.open();
      var failed = assertThrows(ContainerException.class, () -> containers.create(job(42), 0, 0));
      assertEquals(
          "container: make the namespaces [USER]: root enters no user namespace, so job 42 of root"
              + " cannot have one",
          failed.getMessage());
      assertEquals(1, rig.mounts().size());
    }
  }

  @Test
  void aMakerThatDiesWhenItWasToldLeavesNothing() throws Exception {
    try (ContainerRig rig = with()) {
      Path program = rig.top.resolve("maker");
      Files.writeString(program, "#!/bin/sh\necho made $$\nread -r _\nexit 1\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
      rig.namespaces(
          new MoreNamespaces(program, Set.of(NamespaceType.USER), Duration.ofSeconds(5)));
      JobContainers containers = rig.open();
      assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
      assertEquals(1, rig.mounts().size());
      rig.awaitEmptyBase();
    }
  }
}
