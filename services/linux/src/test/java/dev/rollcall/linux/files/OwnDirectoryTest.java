package dev.rollcall.linux.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.linux.mount.Mount;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnDirectoryTest {
  @TempDir private Path temp = Path.of("/nonexistent");
  private Path own = Path.of("/nonexistent");

  @BeforeEach
  void name() {
    own = temp.resolve("own");
  }

  private Path tree(String name) throws IOException {
    Path tree = Files.createDirectory(temp.resolve(name));
    Files.writeString(Files.createDirectory(tree.resolve("d")).resolve("f"), "f");
    return tree;
  }

  @Test
  void itIsMadeOnceAndTakesTrees() throws IOException {
    try (var directory = OwnDirectory.make(own);
        var again = OwnDirectory.make(own)) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
      directory.take(tree("42"), "gone");
      assertFalse(Files.exists(temp.resolve("42")));
      assertEquals(List.of("gone"), again.names());
      assertTrue(Files.exists(own.resolve("gone/d/f")));
    }
  }

  @Test
  void whatIsRemovedIsCounted() throws IOException {
    var counter = new LongAdder();
    try (var directory = OwnDirectory.make(own)) {
      directory.take(tree("42"), "gone");
      var report = directory.remove("gone", () -> true, counter);
      assertTrue(report.clean());
      assertEquals(3, report.removed());
      assertEquals(3, counter.sum());
      assertEquals(List.of(), directory.names());
      assertTrue(directory.remove("gone", () -> true, counter).clean());
      Files.createSymbolicLink(own.resolve("link"), temp);
      assertTrue(directory.remove("link", () -> true, counter).clean());
      assertEquals(4, counter.sum());
    }
  }

  @Test
  void aNameThatIsTakenIsKept() throws IOException {
    try (var directory = OwnDirectory.make(own)) {
      directory.take(tree("42"), "gone");
      Path second = tree("42");
      assertThrows(FileAlreadyExistsException.class, () -> directory.take(second, "gone"));
      assertTrue(Files.exists(second));
      Files.createDirectory(own.resolve("empty"));
      assertThrows(FileAlreadyExistsException.class, () -> directory.take(second, "empty"));
    }
  }

  @Test
  void whatIsNotThereIsTold() throws IOException {
    assertThrows(NoSuchFileException.class, () -> OwnDirectory.open(own));
    try (var directory = OwnDirectory.make(own)) {
      assertThrows(NoSuchFileException.class, () -> directory.take(temp.resolve("42"), "gone"));
      assertThrows(IllegalArgumentException.class, () -> directory.take(own, "../42"));
      assertThrows(
          IllegalArgumentException.class,
          () -> directory.remove("..", () -> true, new LongAdder()));
      Files.delete(own);
      Path tree = tree("42");
      assertThrows(NoSuchFileException.class, () -> directory.take(tree, "gone"));
      assertThrows(NoSuchFileException.class, directory::names);
    }
  }

  @Test
  void whatIsNotPrivateIsRefused() throws IOException {
    Path open = Files.createDirectory(temp.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x---"));
    var refused = assertThrows(IOException.class, () -> OwnDirectory.make(open));
    Object owner = Files.getAttribute(open, "unix:uid");
    assertEquals(open + ": is not private: owner " + owner + ", mode 0750", refused.getMessage());
    Files.createSymbolicLink(own, open);
    refused = assertThrows(IOException.class, () -> OwnDirectory.make(own));
    assertEquals(own + ": is not a private directory: is a symbolic link", refused.getMessage());
    Path file = Files.createFile(temp.resolve("file"));
    refused = assertThrows(IOException.class, () -> OwnDirectory.make(file));
    assertEquals(
        file + ": is not a private directory: ENOTDIR (Not a directory)", refused.getMessage());
  }

  @Test
  @Tag("root")
  void somebodyElsesIsRefused() throws IOException {
    OwnDirectory.make(own).close();
    Files.setAttribute(own, "unix:uid", 65_534);
    var refused = assertThrows(IOException.class, () -> OwnDirectory.open(own));
    assertEquals(own + ": is not private: owner 65534, mode 0700", refused.getMessage());
  }

  @Test
  @Tag("root")
  void whatSomethingIsMountedOnStays() throws IOException {
    Path tree = tree("42");
    Path precious = tree("precious");
    try (var directory = OwnDirectory.make(own)) {
      Mount.bind(precious, tree);
      try {
        var refused = assertThrows(IOException.class, () -> directory.take(tree, "gone"));
        assertEquals(
            tree + ": cannot be moved to " + own + ": EBUSY (Device or resource busy)",
            refused.getMessage());
      } finally {
        Mount.detach(tree);
      }
      directory.take(tree, "gone");
      Mount.bind(precious, own.resolve("gone"));
      try {
        var report = directory.remove("gone", () -> true, new LongAdder());
        assertEquals(List.of(new Left(".", "something is mounted there")), report.left());
        assertFalse(report.clean());
      } finally {
        Mount.detach(own.resolve("gone"));
      }
      assertTrue(Files.exists(precious.resolve("d/f")));
      assertTrue(directory.remove("gone", () -> true, new LongAdder()).clean());
    }
  }
}
