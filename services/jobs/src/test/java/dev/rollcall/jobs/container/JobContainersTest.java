package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.BOB;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static dev.rollcall.jobs.container.ContainerRig.said;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.port.JobNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Containers on this machine's kernel. */
@Tag("root")
class JobContainersTest {
  @Test
  void whatAJobWritesIsItsOwn() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      containers.create(job(43), BOB, BOB);
      assertEquals("", rig.inside(42, ALICE, "ls -A /tmp /dev/shm | grep -v : || true"));
      rig.inside(42, ALICE, "echo a > /tmp/x; echo b > /dev/shm/y");
      assertEquals("a\nb", rig.inside(42, ALICE, "cat /tmp/x /dev/shm/y"));
      assertEquals("", rig.inside(43, BOB, "ls -A /tmp; ls -A /dev/shm"));
      assertEquals("a", Files.readString(rig.base.resolve("42/_tmp/x")).strip());
      assertFalse(Files.exists(Path.of("/dev/shm/y")));
    }
  }

  @Test
  void theDirectoriesAreTheOwnersAndTheJobsHomeIsNotSeen() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE + 7);
      assertEquals(
          "700 %d %d".formatted(ALICE, ALICE + 7),
          rig.inside(42, ALICE, "stat -c '%a %u %g' /tmp"));
      assertEquals("1777 0 0", rig.inside(42, ALICE, "stat -c '%a %u %g' /dev/shm"));
      // Not even by root, once inside.
      assertEquals("", rig.inside(42, 0, "ls -A " + rig.base.resolve("42")));
      assertEquals(
          Set.of("_tmp", ".rollcall"),
          Set.copyOf(List.of(said("ls", "-A", rig.base.resolve("42").toString()).split("\n"))));
    }
  }

  @Test
  void theMountsInsideAreAsTheDocumentsSay() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers containers = rig.open();
      int before = said("findmnt", "-rn").split("\n").length;
      containers.create(job(42), ALICE, ALICE);
      // Outside, one file that keeps the namespace; nothing else.
      assertEquals(before + 1, said("findmnt", "-rn").split("\n").length);
      String tmp = rig.inside(42, 0, "findmnt -rno OPTIONS,PROPAGATION /tmp | tail -1");
      assertTrue(tmp.matches("rw,nosuid,nodev.* private"), tmp);
      String shm = rig.inside(42, 0, "findmnt -rno FSTYPE,OPTIONS /dev/shm | tail -1");
      assertTrue(shm.matches("tmpfs rw,nosuid,nodev.*size=1024k.*"), shm);
      assertEquals(
          "",
          rig.inside(
              42, 0, "findmnt -rno TARGET | grep '%s' || true".formatted(rig.top.resolve("run"))));
    }
  }

  @Test
  void whatIsMountedLaterIsSeenWhereItIsShared() throws IOException {
    // In a namespace where mounts spread, as under systemd; this machine's own do not.
    for (boolean shared : List.of(true, false)) {
      try (ContainerRig rig = new ContainerRig()) {
        ContainerRules rules = rig.rules();
        rig.rules(
            new ContainerRules(
                rules.basePath(),
                rules.makesBasePath(),
                rules.directories(),
                rules.scripts(),
                shared,
                rules.surroundings()));
        Path autofs = Files.createDirectory(rig.top.resolve("autofs"));
        said("mount", "--bind", autofs.toString(), autofs.toString());
        try {
          said("mount", "--make-shared", autofs.toString());
          rig.open().create(job(42), ALICE, ALICE);
          said("mkdir", autofs + "/home");
          said("mount", "-t", "tmpfs", "home", autofs + "/home");
          said("touch", autofs + "/home/there");
          assertEquals(shared ? "there" : "", rig.inside(42, 0, "ls " + autofs + "/home"));
          said("umount", autofs + "/home");
          assertEquals("", rig.inside(42, 0, "ls " + autofs + "/home"));
        } finally {
          said("umount", "-R", autofs.toString());
        }
      }
    }
  }

  @Test
  void nothingIsLeftOfOneThatEnded() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers containers = rig.open();
      List<String> before = rig.mounts();
      for (int each = 0; each < 3; each++) {
        containers.create(job(42), ALICE, ALICE);
        rig.inside(42, ALICE, "mkdir -p /tmp/a/b; echo c > /tmp/a/b/c; echo d > /dev/shm/d");
        containers.delete(job(42), ALICE, ALICE);
        assertEquals(before, rig.mounts());
        assertFalse(Files.exists(rig.base.resolve("42")));
        assertEquals(List.of(), List.copyOf(containers.files(job(42)).values()));
      }
      rig.awaitEmptyBase();
    }
  }

  @Test
  void theNextAgentGoesOnWithIt() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers first = rig.open();
      first.create(job(42), ALICE, ALICE);
      first.create(job(43), BOB, BOB);
      rig.inside(42, ALICE, "echo kept > /tmp/x");
      first.close();
      JobContainers second = rig.open();
      second.restore(Set.of(job(42)));
      assertEquals("kept", rig.inside(42, ALICE, "cat /tmp/x"));
      try (JobNamespaces namespaces = second.open(job(42))) {
        assertEquals(1, namespaces.inOrder().size());
      }
      assertFalse(Files.exists(rig.pin(43)));
      assertFalse(Files.exists(rig.base.resolve("43")));
      second.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
  }

  @Test
  void aNodeWithoutContainersHasNoMountAndEndsFormerOnes() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers none = rig.openWithout();
      none.restore(Set.of());
      none.create(job(42), ALICE, ALICE);
      assertEquals(Set.of(), none.files(job(42)).keySet());
      none.delete(job(42), ALICE, ALICE);
      assertEquals(List.of(), rig.mounts());

      JobContainers some = rig.open();
      some.create(job(42), ALICE, ALICE);
      some.close();
      JobContainers again = rig.openWithout();
      again.restore(Set.of(job(42)));
      assertEquals(Set.of("mnt"), again.files(job(42)).keySet());
      again.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
  }

  @Test
  void whatIsInTheWayOfOneKeepsNoAgentFromItsStart() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers first = rig.open();
      first.create(job(42), ALICE, ALICE);
      first.create(job(43), ALICE, ALICE);
      first.create(job(44), BOB, BOB);
      first.close();
      Path busy = rig.base.resolve("43");
      Files.createDirectory(rig.top.resolve("run/containers/no-job"));
      said("mount", "--bind", busy.toString(), busy.toString());
      try {
        rig.open().restore(Set.of(job(42)));
        assertTrue(Files.exists(busy));
        assertFalse(Files.exists(rig.base.resolve("44")));
        assertEquals("", rig.inside(42, ALICE, "ls -A /tmp"));
      } finally {
        said("umount", busy.toString());
      }
      rig.open().restore(Set.of());
      rig.awaitEmptyBase();
    }
  }

  @Test
  void ofAFormerBootNothingIsKept() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers first = rig.open();
      first.create(job(42), ALICE, ALICE);
      first.close();
      JobContainers second = rig.open("99999999-2222-3333-4444-555555555555");
      second.restore(Set.of(job(42)));
      assertFalse(Files.exists(rig.pin(42)));
      rig.awaitEmptyBase();
    }
  }

  @Test
  void whatIsNotOursStays() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Files.createDirectories(rig.base.resolve("17/data"));
      Files.createDirectories(rig.base.resolve("18"));
      Files.writeString(rig.base.resolve("18/.rollcall"), "node node2\njob 18\nboot x\n");
      Files.createDirectories(rig.base.resolve("19"));
      Files.writeString(rig.base.resolve("19/.rollcall"), "node node1\njob 42\nboot x\n");
      Files.createSymbolicLink(rig.base.resolve("20"), rig.base.resolve("17"));
      Files.createDirectories(rig.base.resolve("99999999999"));
      JobContainers containers = rig.open();
      containers.restore(Set.of());
      assertEquals(List.of("17", "18", "19", "20", "99999999999"), rig.inBase());
      assertTrue(Files.exists(rig.base.resolve("17/data")));
      var refused =
          assertThrows(ContainerException.class, () -> containers.create(job(17), ALICE, ALICE));
      assertEquals(
          "container: make %s: FileAlreadyExists: %s is there already"
              .formatted(rig.base.resolve("17"), rig.base.resolve("17")),
          refused.getMessage());
      assertTrue(Files.exists(rig.base.resolve("17/data")));
      assertFalse(Files.exists(rig.pin(17)));
    }
  }

  @Test
  void aNamespaceThatSomebodyUnmountedIsNamed() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      said("umount", rig.pin(42).toString());
      var gone = assertThrows(IOException.class, () -> containers.open(job(42)));
      assertEquals(rig.pin(42) + " has no namespace: it was unmounted", gone.getMessage());
      containers.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
  }

  @Test
  void aTargetThatOthersCouldMoveIsRefused() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path open = Files.createDirectory(rig.top.resolve("open"));
      Files.createDirectory(open.resolve("scratch"));
      said("chown", Integer.toString(ALICE), open.toString());
      rig.directories(rig.disk(open + "/scratch"));
      var refused =
          assertThrows(ContainerException.class, () -> rig.open().create(job(42), ALICE, ALICE));
      String step =
          "bind %s on %s"
              .formatted(
                  rig.base.resolve("42").resolve((open + "/scratch").replace('/', '_')),
                  open + "/scratch");
      assertEquals(
          "container: %s: %s: users other than root may change %s"
              .formatted(step, open + "/scratch", open),
          refused.getMessage());
      rig.awaitEmptyBase();
    }
  }
}
