package dev.rollcall.linux.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.mount.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What newer system calls do, and what is done without them. */
class DirectoryHandleTest {
  @TempDir private Path temp = Path.of("/nonexistent");

  enum Way {
    OPENAT2,
    COMPARED
  }

  private int open(Way way, String name) throws IOException {
    try (DirectoryHandle handle = DirectoryHandle.open(temp)) {
      byte[] bytes = name.getBytes(UTF_8);
      long opened =
          way == Way.OPENAT2 ? handle.openBelow(bytes) : handle.openBelowAndCompare(bytes);
      if (opened >= 0) {
        DirectoryHandle.of(opened).close();
      }
      return (int) Math.min(0, opened);
    }
  }

  @ParameterizedTest
  @EnumSource
  void directoriesAreOpened(Way way) throws IOException {
    Files.createDirectory(temp.resolve("d"));
    assertEquals(0, open(way, "d"));
    assertEquals(-Errno.ENOENT.number(), open(way, "none"));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoDirectoryIsNot(Way way) throws IOException {
    Files.createDirectory(temp.resolve("d"));
    Files.createSymbolicLink(temp.resolve("link"), Path.of("d"));
    Files.createFile(temp.resolve("file"));
    assertEquals(-Errno.ENOTDIR.number(), open(way, "file"));
    assertTrue(Set.of(-Errno.ENOTDIR.number(), -Errno.ELOOP.number()).contains(open(way, "link")));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("root")
  void mountsAreNot(Way way) throws IOException {
    Path bound = Files.createDirectory(temp.resolve("bound"));
    Path other = Files.createDirectory(temp.resolve("other"));
    Mount.bind(temp, bound);
    Mount.tmpfs(other, Set.of(), "size=64k");
    try {
      assertEquals(-Errno.EXDEV.number(), open(way, "bound"));
      assertEquals(-Errno.EXDEV.number(), open(way, "other"));
    } finally {
      Mount.detach(bound);
      Mount.detach(other);
    }
    assertEquals(0, open(way, "bound"));
  }

  @Test
  void withoutTheFlagNothingIsReplacedButEmptyDirectories() throws IOException {
    byte[] tree = Files.createDirectory(temp.resolve("tree")).toString().getBytes(UTF_8);
    Files.createDirectories(temp.resolve("full/d"));
    Files.createFile(temp.resolve("file"));
    Files.createDirectory(temp.resolve("empty"));
    try (DirectoryHandle handle = DirectoryHandle.open(temp)) {
      assertEquals(-Errno.EEXIST.number(), moved(handle, tree, "full"));
      assertEquals(-Errno.EEXIST.number(), moved(handle, tree, "file"));
      assertEquals(0, moved(handle, tree, "empty"));
      assertEquals(-Errno.ENOENT.number(), moved(handle, tree, "new"));
    }
    assertTrue(Files.isDirectory(temp.resolve("full/d")));
    assertTrue(Files.isRegularFile(temp.resolve("file")));
  }

  private static int moved(DirectoryHandle to, byte[] path, String name) {
    return (int) DirectoryHandle.moveUnflagged(Descriptor.AT_FDCWD, path, to, name.getBytes(UTF_8));
  }
}
