package dev.rollcall.linux.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.linux.mount.Mount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeRemovalTest {
  @TempDir private Path temp = Path.of("/nonexistent");
  private Path tree = Path.of("/nonexistent");
  private Path outside = Path.of("/nonexistent");

  @BeforeEach
  void makeThem() throws IOException {
    tree = Files.createDirectory(temp.resolve("tree"));
    outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "all of it");
  }

  private Report empty() throws IOException {
    return TreeRemoval.empty(tree, () -> true);
  }

  private void shell(String script) throws IOException {
    var process =
        new ProcessBuilder("bash", "-euc", script)
            .directory(tree.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertEquals(0, process.waitFor(), said);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void isEmptyAndTheRestIsThere() throws IOException {
    try (Stream<Path> rest = Files.list(tree)) {
      assertEquals(List.of(), rest.toList());
    }
    assertEquals("all of it", Files.readString(outside.resolve("precious")));
  }

  @Test
  void filesDirectoriesAndSpecialFilesGo() throws IOException {
    shell(
        "mkdir -p a/b/c d; touch a/1 a/b/2 a/b/c/3; mkfifo a/p; ln -s nowhere a/l; chmod 0 a/b/2");
    Report report = empty();
    assertEquals(new Report(9, List.of(), 0, true), report);
    assertTrue(report.clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void linksThatLeadOutAreLinks() throws IOException {
    shell(
        "ln -s ../outside dir; ln -s ../outside/precious file; ln -s / root; mkdir d; ln -s .. d/up");
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void namesThatAreNoText() throws IOException {
    shell(
        "touch $'a\\nb' $'\\xff\\xfe' -- '-rf' \"$(printf 'x%.0s' {1..255})\"; mkdir $'\\x80d';"
            + " touch $'\\x80d/\\xff'");
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void aTreeOfAThousandLevels() throws IOException {
    shell(
        "for i in $(seq 1000); do mkdir d; touch f; cd d; done;"
            + " for i in $(seq 200); do mkdir -p e; cd e; done");
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void manyEntriesOfOneDirectory() throws IOException {
    shell("mkdir m; cd m; seq -f 'file-%.0f' 20000 | xargs touch");
    assertEquals(20_001, empty().removed());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void whatWasStoppedGoesOnLater() throws IOException {
    shell("mkdir -p a/b; touch a/1 a/2 a/3 a/b/4");
    var asked = new AtomicInteger();
    Report first = TreeRemoval.empty(tree, () -> asked.incrementAndGet() <= 3);
    assertFalse(first.whole());
    assertFalse(first.clean());
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void aDirectoryThatIsALinkIsRefused() throws IOException {
    Files.createSymbolicLink(tree.resolve("link"), outside);
    var refused =
        assertThrows(IOException.class, () -> TreeRemoval.empty(tree.resolve("link"), () -> true));
    assertTrue(refused.toString().contains("tree/link"), refused::toString);
  }

  @Test
  @Tag("root")
  void whatIsMountedInsideIsLeftAndNamed() throws IOException {
    shell("mkdir -p a/mounted a/other; touch a/file");
    Mount.bind(outside, tree.resolve("a/mounted"));
    try {
      Report report = empty();
      assertEquals(
          List.of(new TreeRemoval.Left("a/mounted", "something is mounted there")), report.left());
      assertFalse(report.clean());
      assertFalse(Files.exists(tree.resolve("a/file")));
      assertEquals("all of it", Files.readString(outside.resolve("precious")));
    } finally {
      Mount.detach(tree.resolve("a/mounted"));
    }
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  @Tag("root")
  void whatIsImmutableIsLeftAndNamed() throws IOException {
    shell("mkdir a; touch a/stays a/goes; chattr +i a/stays");
    try {
      Report report = empty();
      assertEquals(
          List.of(new TreeRemoval.Left("a/stays", "EPERM (Operation not permitted)")),
          report.left());
      assertFalse(Files.exists(tree.resolve("a/goes")));
    } finally {
      shell("chattr -i a/stays");
    }
    assertTrue(empty().clean());
  }
}
