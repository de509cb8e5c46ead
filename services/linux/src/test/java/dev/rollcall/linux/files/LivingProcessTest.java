package dev.rollcall.linux.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.files.TreeRemoval.Report;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's processes work in the tree, and against its removal. */
@Tag("root")
class LivingProcessTest {
  @TempDir private Path temp = Path.of("/nonexistent");
  private Path tree = Path.of("/nonexistent");
  private Path outside = Path.of("/nonexistent");
  private final List<Process> shells = new ArrayList<>();

  @BeforeEach
  void makeThem() throws IOException {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    tree = Files.createDirectory(temp.resolve("tree"));
    outside = Files.createDirectory(temp.resolve("outside"));
    var all = PosixFilePermissions.fromString("rwxrwxrwx");
    Files.setPosixFilePermissions(tree, all);
    Files.setPosixFilePermissions(outside, all);
  }

  @AfterEach
  void endThem() {
    shells.forEach(Process::destroyForcibly);
  }

  /** A user's shell that has its working directory in the tree. */
  private final class UserShell {
    private final Process process;
    private final BufferedReader said;

    UserShell() throws IOException {
      process =
          new ProcessBuilder(
                  "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash", "--norc")
              .directory(tree.toFile())
              .redirectErrorStream(true)
              .start();
      shells.add(process);
      said = process.inputReader(UTF_8);
    }

    /** The exit status, after what was said. */
    String run(String command) {
      try {
        process.outputWriter(UTF_8).write(command + "; echo \"status $?\"\n");
        process.outputWriter(UTF_8).flush();
        StringBuilder all = new StringBuilder();
        String line = said.readLine();
        while (line != null && !line.startsWith("status")) {
          all.append(line).append('\n');
          line = said.readLine();
        }
        return all.append(line).toString();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void isEmpty() throws IOException {
    try (Stream<Path> rest = Files.list(tree)) {
      assertEquals(List.of(), rest.toList());
    }
  }

  @Test
  void aWorkingDirectoryInsideIsRemoved() throws IOException {
    var shell = new UserShell();
    assertEquals("status 0", shell.run("mkdir -p a/b && cd a/b && echo 1 >file"));
    assertTrue(EmptiedDirectory.empty(tree, () -> true).clean());
    isEmpty();
    assertTrue(shell.run("echo 2 >file").endsWith("status 1"));
  }

  @Test
  void nothingIsAddedOrMovedOutOfWhatIsOpen() throws IOException {
    var shell = new UserShell();
    assertEquals("status 0", shell.run("mkdir -p a/d && touch a/d/{1..9} && cd a"));
    var refused = new AtomicInteger();
    Report report =
        EmptiedDirectory.empty(
            tree,
            () -> {
              if (Files.exists(tree.resolve("a/d")) && !Files.exists(tree.resolve("a/d/1"))) {
                assertFalse(shell.run("mv d " + outside + "/d").endsWith("status 0"));
                assertFalse(shell.run("touch d/more").endsWith("status 0"));
                assertFalse(shell.run("chmod 777 . d").endsWith("status 0"));
                refused.incrementAndGet();
              }
              return true;
            });
    assertTrue(report.clean(), report::toString);
    assertTrue(refused.get() > 0);
    isEmpty();
    try (Stream<Path> moved = Files.list(outside)) {
      assertEquals(List.of(), moved.toList());
    }
  }

  @Test
  void whatWasMovedOutBeforeItsTurnIsNotTouched() throws IOException {
    var shell = new UserShell();
    assertEquals("status 0", shell.run("mkdir -p a/d && touch a/d/1 && cd a"));
    var asked = new AtomicInteger();
    Report report =
        EmptiedDirectory.empty(
            tree,
            () -> {
              if (asked.getAndIncrement() == 0) {
                assertEquals("status 0", shell.run("mv d " + outside + "/d"));
              }
              return true;
            });
    assertTrue(report.clean(), report::toString);
    isEmpty();
    assertTrue(Files.exists(outside.resolve("d/1")));
  }

  @Test
  void processesThatAddWithoutEndAreRefusedSoon() throws IOException {
    var shell = new UserShell();
    assertEquals("status 0", shell.run("mkdir -p a/b && cd a/b && touch {1..500}"));
    assertEquals(
        "status 0",
        shell.run(
            "{ (for i in {1..1000000}; do { : >new$i && mkdir dir$i; } || exit; done) 2>/dev/null & }"));
    var asked = new AtomicInteger();
    Report report = EmptiedDirectory.empty(tree, () -> asked.incrementAndGet() < 3_000_000);
    assertTrue(report.clean(), report::toString);
    isEmpty();
    assertTrue(shell.run("wait $!").contains("status 1"));
  }
}
