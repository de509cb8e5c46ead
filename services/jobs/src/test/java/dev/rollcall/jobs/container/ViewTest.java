package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.BOB;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static dev.rollcall.jobs.container.ContainerRig.said;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules.Disk;
import dev.rollcall.jobs.container.ContainerRules.PrivateDirectory;
import dev.rollcall.jobs.container.View.Narrowed;
import dev.rollcall.port.JobNamespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What jobs see, and may change, of the node; and directories that are theirs in other ways. */
@Tag("root")
class ViewTest {
  private static final String WRITE = "echo x > %1$s/x && echo written || true";

  private static Narrowed path(Path path) {
    return new Narrowed((job, user) -> path, false);
  }

  /** For others than root, too. */
  private static void searchable(ContainerRig rig) throws IOException {
    Files.setPosixFilePermissions(rig.top, PosixFilePermissions.fromString("rwx--x--x"));
  }

  private static void readOnly(ContainerRig rig, Path path) {
    rig.view(new View(List.of(path(path)), List.of()));
  }

  private static void hidden(ContainerRig rig, Path... paths) {
    rig.view(new View(List.of(), List.of(paths).stream().map(ViewTest::path).toList()));
  }

  /** Of alice's, in a directory of root's. */
  private static Path open(ContainerRig rig, String name) throws IOException {
    searchable(rig);
    Path open = Files.createDirectories(rig.top.resolve("node").resolve(name));
    Files.setAttribute(open, "unix:uid", ALICE);
    return open;
  }

  @Test
  void whatIsReadOnlyCannotBeChangedWithAllThatIsMountedBelow() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path top = open(rig, "data");
      Path below = open(rig, "data/below");
      said("mount", "-t", "tmpfs", "-o", "noexec,mode=1777", "tmpfs", below.toString());
      try {
        readOnly(rig, rig.top.resolve("node"));
        rig.open().create(job(42), ALICE, ALICE);
        for (Path path : List.of(top, below)) {
          String refused = rig.inside(42, ALICE, WRITE.formatted(path));
          assertTrue(refused.contains("Read-only file system"), refused);
        }
        String options =
            rig.inside(42, 0, "findmnt -rno OPTIONS --mountpoint " + below + " | tail -1");
        assertTrue(options.startsWith("ro,noexec"), options);
        assertEquals("written", rig.inside(42, ALICE, WRITE.formatted("/tmp")));
        // The node's own are as before.
        Files.createFile(below.resolve("new"));
      } finally {
        said("umount", below.toString());
      }
    }
  }

  @Test
  void allOfTheNodeCanBeReadOnlyButForWhatIsPrivate() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path data = open(rig, "data");
      readOnly(rig, Path.of("/"));
      rig.open().create(job(42), ALICE, ALICE);
      String refused = rig.inside(42, ALICE, WRITE.formatted(data));
      assertTrue(refused.contains("Read-only file system"), refused);
      assertEquals("written", rig.inside(42, ALICE, WRITE.formatted("/tmp")));
      assertEquals("written", rig.inside(42, ALICE, WRITE.formatted("/dev/shm")));
      assertEquals("", rig.inside(42, ALICE, "echo x > /dev/null"));
      assertEquals(
          "9",
          rig.inside(42, 0, "echo 9 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj"));
      Files.createFile(data.resolve("y"));
    }
  }

  @Test
  void whatIsHiddenIsNotSeen() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path directory = open(rig, "closed");
      Files.createFile(directory.resolve("one"));
      Path file = Files.writeString(rig.top.resolve("node/key"), "secret");
      hidden(rig, directory, file);
      rig.open().create(job(42), ALICE, ALICE);
      for (int who : List.of(0, ALICE)) {
        String seen =
            rig.inside(42, who, "ls -A %s 2>&1; cat %s 2>&1; true".formatted(directory, file));
        assertFalse(seen.contains("one") || seen.contains("secret\n"), seen);
        assertFalse(seen.endsWith("secret"), seen);
      }
      assertEquals("", rig.inside(42, 0, "cat " + file));
      assertEquals("secret", Files.readString(file));
      assertEquals("one", said("ls", directory.toString()));
    }
  }

  private static void awaitHidden(ContainerRig rig, Path path) {
    awaitHidden(rig, 42, path);
  }

  private static void awaitHidden(ContainerRig rig, long job, Path path) {
    rig.awaitNone(() -> {
      try {
        return rig.inside(job, 0, "cat %1$s 2>&1; ls -A %1$s 2>&1; true".formatted(path))
            .contains("secret");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** As editors, package managers and configuration tools do. */
  private static void replace(Path file, String text) throws IOException {
    Path fresh = Files.writeString(file.resolveSibling("fresh"), text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void whatTheNodeReplacesIsHiddenAgain() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path directory = open(rig, "closed");
      Path file = Files.writeString(rig.top.resolve("node/key"), "secret");
      Path link = Files.createSymbolicLink(rig.top.resolve("node/link"), file);
      Path later = rig.top.resolve("later");
      rig.view(
          new View(
              List.of(),
              List.of(path(directory), path(link), new Narrowed((job, user) -> later, true))));
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      for (int each = 0; each < 3; each++) {
        replace(file, "secret " + each);
        awaitHidden(rig, file);
      }
      assertEquals("secret 2", Files.readString(file));
      Path aside = rig.top.resolve("aside");
      Files.move(directory, aside);
      Files.createDirectory(directory);
      Files.createFile(directory.resolve("secret"));
      awaitHidden(rig, directory);
      Files.createFile(aside.resolve("secret"));
      assertEquals("", rig.inside(42, 0, "ls -A " + aside));
      Files.writeString(later, "secret");
      awaitHidden(rig, later);
      Path other = Files.writeString(rig.top.resolve("other"), "secret");
      Path fresh = Files.createSymbolicLink(rig.top.resolve("node/fresh"), other);
      Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
      awaitHidden(rig, link);
      Files.move(rig.top.resolve("node"), rig.top.resolve("old"));
      Files.createDirectory(rig.top.resolve("node"));
      Files.writeString(link, "secret");
      awaitHidden(rig, link);
      // An unreadable file, as the first one was.
      assertEquals("0 0", rig.inside(42, 0, "stat -c '%a %s' " + link));
      assertEquals("0", rig.inside(42, 0, "findmnt -rno TARGET | grep -c blank || true"));
      containers.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
  }

  /** Mounts a file system there that answers nothing, as one of a dead server's. */
  private static final String SILENT =
      """
      import ctypes, os, signal, sys
      fuse = os.open('/dev/fuse', os.O_RDWR)
      options = b'fd=%d,rootmode=40755,user_id=0,group_id=0' % fuse
      libc = ctypes.CDLL(None, use_errno=True)
      if libc.mount(b'rollcall-test', sys.argv[1].encode(), b'fuse', 0, options):
          sys.exit('mount: ' + os.strerror(ctypes.get_errno()))
      print('ready', flush=True)
      signal.pause()
      """;

  @Test
  void pathsThatDoNotAnswerDelayTheirOwnJobAlone() throws Exception {
    try (ContainerRig rig = new ContainerRig()) {
      Path silent = open(rig, "silent");
      Path later = rig.top.resolve("later");
      Path file = Files.writeString(rig.top.resolve("node/key"), "secret");
      Path behind = silent.resolve("secret");
      rig.view(
          new View(
              List.of(),
              List.of(
                  new Narrowed((job, user) -> job.equals("42") ? behind : file, true),
                  new Narrowed((job, user) -> later, true))));
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      Process server =
          new ProcessBuilder("python3", "-c", SILENT, silent.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        assertEquals("ready", server.inputReader().readLine());
        Files.createFile(later); // it is looked at, with what is behind the server
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> containers.create(job(43), BOB, BOB));
        replace(file, "secret 2");
        awaitHidden(rig, 43, file);
        assertTimeoutPreemptively(Duration.ofSeconds(20), containers::close);
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> rig.openWithout().restore(Set.of(job(42), job(43))));
      } finally {
        server.destroyForcibly().waitFor();
        said("umount", "-l", silent.toString());
      }
      JobContainers next = rig.openWithout();
      next.delete(job(42), ALICE, ALICE);
      next.delete(job(43), BOB, BOB);
      rig.awaitEmptyBase();
    }
  }

  @Test
  void whatTheNodeReplacesWithoutAnAgentIsHiddenByTheNext() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path file =
          Files.writeString(Files.createDirectory(rig.top.resolve("n")).resolve("key"), "a");
      hidden(rig, file);
      JobContainers first = rig.open();
      first.create(job(42), ALICE, ALICE);
      first.close();
      replace(file, "secret");
      assertEquals("secret", rig.inside(42, 0, "cat " + file));
      JobContainers next = rig.openWithout();
      next.restore(Set.of(job(42)));
      assertEquals("", rig.inside(42, 0, "cat " + file));
      replace(file, "secret");
      awaitHidden(rig, file);
      next.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
  }

  @Test
  void theBasePathCanBeHiddenWithWhatIsAroundIt() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      hidden(rig, rig.base);
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals("written", rig.inside(42, ALICE, WRITE.formatted("/tmp")));
      assertEquals("", rig.inside(42, 0, "ls -A " + rig.base));
      containers.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
  }

  @Test
  void whatIsMissingIsNamedUnlessItMayBe() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path missing = rig.top.resolve("missing");
      JobContainers with = withView(rig, missing, true);
      with.create(job(42), ALICE, ALICE);
      JobContainers without = withView(rig, missing, false);
      var refused =
          assertThrows(ContainerException.class, () -> without.create(job(43), ALICE, ALICE));
      assertEquals(
          "container: make %1$s read-only: %1$s is not there".formatted(missing),
          refused.getMessage());
    }
  }

  private static JobContainers withView(ContainerRig rig, Path path, boolean mayBeMissing)
      throws IOException {
    List<Narrowed> paths = List.of(new Narrowed((job, user) -> path, mayBeMissing));
    rig.view(new View(paths, paths));
    return rig.open();
  }

  @Test
  void whatOthersCanMakeLeadElsewhereIsRefused() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      Path alices = open(rig, "alices");
      Path secret = Files.createDirectory(alices.resolve("secret"));
      hidden(rig, secret);
      var refused =
          assertThrows(ContainerException.class, () -> rig.open().create(job(42), ALICE, ALICE));
      assertEquals(
          "container: hide %s: %s: users other than root may change %s"
              .formatted(secret, secret, alices),
          refused.getMessage());
    }
  }

  @Test
  void aDirectoryCanBeForSeveralUsers() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      rig.directories(
          new PrivateDirectory(
              (job, user) -> Path.of("/tmp"),
              new Disk(rig.base, 01777, Optional.empty()),
              Set.of()));
      rig.open().create(job(42), ALICE, ALICE);
      assertEquals("1777 " + ALICE, rig.inside(42, BOB, "stat -c '%a %u' /tmp"));
      assertEquals("written", rig.inside(42, BOB, WRITE.formatted("/tmp")));
      String kept = rig.inside(42, BOB + 1, "rm -f /tmp/x; ls /tmp");
      assertTrue(kept.endsWith("x"), kept);
    }
  }

  @Test
  void aRuntimeDirectoryLivesWithItsJob() throws IOException {
    try (ContainerRig rig = new ContainerRig()) {
      searchable(rig);
      Path runtime = rig.top.resolve("runtime");
      rig.runtime(runtime);
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE + 7);
      containers.create(job(43), ALICE, ALICE);
      assertEquals(
          "700 %d %d tmpfs".formatted(ALICE, ALICE + 7),
          rig.inside(
              42,
              ALICE,
              "cd %s; echo $(stat -c '%%a %%u %%g' .) $(stat -fc %%T .)".formatted(runtime)));
      rig.inside(42, ALICE, "touch " + runtime + "/bus");
      assertEquals("", rig.inside(43, ALICE, "ls -A " + runtime));
      Map<String, String> wanted = Map.of("XDG_RUNTIME_DIR", runtime.toString());
      assertEquals(wanted, containers.environment(job(42)));
      try (JobNamespaces namespaces = rig.open().open(job(42))) {
        assertEquals(wanted, namespaces.environment());
      }
      containers.delete(job(42), ALICE, ALICE + 7);
      assertEquals(Map.of(), containers.environment(job(42)));
      assertEquals("", said("ls", "-A", runtime.toString()));
    }
  }
}
