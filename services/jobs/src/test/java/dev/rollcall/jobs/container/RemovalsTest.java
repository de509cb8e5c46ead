package dev.rollcall.jobs.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.Removals.Progress;
import dev.rollcall.jobs.container.Removals.Stuck;
import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovalsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path base = Path.of("/nonexistent");
  private Path aside = Path.of("/nonexistent");
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final Gate gate = new Gate();

  private Removals removals = Removals.open("none", InstantSource.system());

  @BeforeEach
  void begin() {
    aside = base.resolve(".rollcall-n1");
    begins();
  }

  private void begins() {
    removals.close();
    removals = Removals.open("n1", now::get, gate);
  }

  @AfterEach
  void close() {
    gate.open();
    removals.close();
  }

  private Path tree(String name, int files) throws IOException {
    Path tree = Files.createDirectory(base.resolve(name));
    Path deep = Files.createDirectories(tree.resolve("a/b"));
    for (int i = 0; i < files; i++) {
      Files.createFile(deep.resolve("file-" + i));
    }
    return tree;
  }

  private void await(Progress progress) {
    Eventually.await(
        PATIENCE, () -> removals.progress().equals(progress), () -> "" + removals.progress());
  }

  private void nothingIsLeft() throws IOException {
    try (Stream<Path> rest = Files.list(base)) {
      assertEquals(List.of(), rest.toList());
    }
  }

  @Test
  void aTreeIsMovedAsideAtOnceAndRemovedLater() throws IOException {
    gate.shut();
    Path tree = tree("42", 20_000);
    removals.put(tree);
    assertFalse(Files.exists(tree));
    assertTrue(Files.exists(aside.resolve("gone-42-1/a/b/file-19999")));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(aside)));
    assertEquals(new Progress(1, 0, List.of()), removals.progress());
    gate.open();
    await(new Progress(0, 20_003, List.of()));
    nothingIsLeft();
  }

  @Test
  void jobsOfTheSameNumberGetNamesThatAreFree() throws IOException {
    gate.shut();
    removals.put(tree("42", 1));
    removals.put(tree("42", 2));
    removals.put(tree("43", 0));
    assertTrue(Files.isDirectory(aside.resolve("gone-42-2/a")));
    assertTrue(Files.isDirectory(aside.resolve("gone-43-1/a")));
    assertEquals(3, removals.progress().waiting());
    gate.open();
    await(new Progress(0, 12, List.of()));
    nothingIsLeft();
  }

  @Test
  void whatWasClosedInTheMiddleGoesOnAtTheNextStart() throws IOException {
    gate.shutAfter(50);
    removals.put(tree("42", 1_000));
    removals.put(tree("43", 10));
    gate.awaitShut();
    removals.stop();
    gate.open();
    removals.close();
    Progress then = removals.progress();
    assertEquals(2, then.waiting());
    assertTrue(then.removed() < 60, then::toString);
    assertTrue(Files.isDirectory(aside.resolve("gone-42-1/a/b")));
    removals.put(tree("44", 10));
    assertTrue(Files.isDirectory(aside.resolve("gone-44-1/a/b")));

    begins();
    Files.createDirectory(aside.resolve("of the administrator's"));
    removals.resume(base);
    await(new Progress(0, 1_029 - then.removed(), List.of()));
    try (Stream<Path> rest = Files.list(aside)) {
      assertEquals(List.of(aside.resolve("of the administrator's")), rest.toList());
    }
  }

  @Test
  void resumingWithNothingLeftRemovesTheDirectoryToo() throws IOException {
    removals.resume(base);
    nothingIsLeft();
    removals.close();
    removals.put(tree("42", 0));
    Files.move(aside.resolve("gone-42-1"), base.resolve("42"));
    begins();
    removals.resume(base);
    nothingIsLeftBut("42");
  }

  private void nothingIsLeftBut(String name) throws IOException {
    try (Stream<Path> rest = Files.list(base)) {
      assertEquals(List.of(base.resolve(name)), rest.toList());
    }
  }

  @Test
  void whatIsNotPrivateIsLeft() throws IOException {
    Path other = Files.createDirectory(base.resolve("other"));
    Files.createDirectories(other.resolve("gone-1-1/precious"));
    Files.createSymbolicLink(aside, other);
    removals.resume(base);
    Path tree = tree("42", 1);
    var refused = assertThrows(IOException.class, () -> removals.put(tree));
    assertEquals(aside + ": is not a private directory: is a symbolic link", refused.getMessage());
    Files.delete(aside);
    Files.createDirectory(aside);
    Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxrwx---"));
    Files.createDirectories(aside.resolve("gone-1-1/precious"));
    removals.resume(base);
    assertThrows(IOException.class, () -> removals.put(tree));
    assertEquals(new Progress(0, 0, List.of()), removals.progress());
    assertTrue(Files.exists(tree.resolve("a/b/file-0")));
    assertTrue(Files.exists(other.resolve("gone-1-1/precious")));
    assertTrue(Files.exists(aside.resolve("gone-1-1/precious")));
  }

  @Test
  void aDirectoryThatIsNotThereIsTold() {
    assertThrows(NoSuchFileException.class, () -> removals.put(base.resolve("42")));
    assertThrows(
        IllegalArgumentException.class, () -> Removals.open("../n1", InstantSource.system()));
  }

  @Test
  void puttingMeetsTheEndOfTheDirectory() throws IOException {
    for (int i = 0; i < 300; i++) { // each is removed while the next is put
      removals.put(tree("" + i, 0));
    }
    await(new Progress(0, 900, List.of()));
    nothingIsLeft();
  }

  @Test
  @Tag("root")
  void aTreeThatIsStuckHoldsUpNoOtherAndIsTriedAgain() throws IOException {
    Path precious = Files.createDirectory(base.resolve("precious"));
    Files.createFile(precious.resolve("file"));
    Path mounted = Files.createDirectory(tree("42", 5).resolve("mounted"));
    Mount.bind(precious, mounted);
    Path gone = aside.resolve("gone-42-1");
    try {
      removals.put(base.resolve("42"));
      var stuck = new Stuck(gone, List.of(new Left("mounted", "something is mounted there")), 1);
      await(new Progress(0, 7, List.of(stuck)));
      removals.put(tree("43", 5));
      await(new Progress(0, 15, List.of(stuck)));
      assertFalse(Files.exists(aside.resolve("gone-43-1")));
      assertTrue(Files.exists(gone.resolve("mounted/file")));
    } finally {
      assertTrue(Mount.detach(gone.resolve("mounted")));
    }
    now.updateAndGet(it -> it.plus(RemovalQueue.AGAIN));
    removals.wake();
    await(new Progress(0, 17, List.of()));
    assertTrue(Files.exists(precious.resolve("file")));
    nothingIsLeftBut("precious");
  }

  @Test
  @Tag("root")
  void aDirectoryThatIsMountedOnStaysWhereItIs() throws IOException {
    Path tree = tree("42", 1);
    Mount.tmpfs(tree, Set.of(), "size=64k");
    try {
      var refused = assertThrows(IOException.class, () -> removals.put(tree));
      assertEquals(
          tree + ": cannot be moved to " + aside + ": EBUSY (Device or resource busy)",
          refused.getMessage());
    } finally {
      assertTrue(Mount.detach(tree));
    }
    assertTrue(Files.exists(tree.resolve("a/b/file-0")));
    assertFalse(Files.exists(aside));
    removals.put(tree);
    await(new Progress(0, 4, List.of()));
    nothingIsLeft();
  }
}
