package dev.rollcall.linux.files;

import static java.util.Objects.requireNonNull;
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
import java.util.ArrayDeque;
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
    return EmptiedDirectory.empty(tree, () -> true);
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
        "ln -s ../outside dir; ln -s ../outside/precious file; ln -s / root; mkdir d; ln -s .. d/up;"
            + " ln ../outside/precious same");
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
        "perl -e 'for (1..1200) { mkdir \"d\"; mkdir \"e\"; mkdir \"e/f\"; chdir \"d\" or die }'");
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void namesLikeThoseOfDirectoriesThatAreMovedUp() throws IOException {
    shell(
        "touch .rollcall-deep-0; ln -s ../outside .rollcall-deep-1; mkdir -p .rollcall-deep-2/0/1;"
            + " perl -e 'for (1..200) { mkdir \"0\"; mkdir \"1\"; chdir \"0\" or die }'");
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void descriptorsDoNotGrowWithTheDepth() throws IOException {
    shell("perl -e 'for (1..500) { mkdir \"d\"; chdir \"d\" or die }'");
    int before = descriptors();
    var most = new AtomicInteger();
    Report report =
        EmptiedDirectory.empty(
            tree,
            () -> {
              most.accumulateAndGet(descriptors(), Math::max);
              return true;
            });
    assertTrue(report.clean());
    assertTrue(most.get() <= before + 80, () -> most + " descriptors, " + before + " before");
    assertTrue(descriptors() <= before + 5, () -> "some are still open");
  }

  private static int descriptors() {
    return requireNonNull(Path.of("/proc/self/fd").toFile().list()).length;
  }

  @Test
  void stoppedAnywhereItGoesOnLater() throws IOException {
    shell("mkdir w; touch w/1 w/2; perl -e 'for (1..150) { mkdir \"d\"; chdir \"d\" or die }'");
    boolean whole = false;
    for (int most = 1; !whole && most < 400; most++) {
      var asked = new AtomicInteger();
      int bound = most;
      whole = EmptiedDirectory.empty(tree, () -> asked.incrementAndGet() <= bound).whole();
    }
    assertTrue(whole);
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
    Report first = EmptiedDirectory.empty(tree, () -> asked.incrementAndGet() <= 3);
    assertFalse(first.whole());
    assertFalse(first.clean());
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void aDirectoryThatIsALinkIsRefused() throws IOException {
    Files.createSymbolicLink(tree.resolve("link"), outside);
    var refused =
        assertThrows(
            IOException.class, () -> EmptiedDirectory.empty(tree.resolve("link"), () -> true));
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

  @Test
  @Tag("root")
  void whatUsersOwnGoesWhateverItsModes() throws IOException {
    shell(
        "mkdir -p a/sticky/dir closed/in; touch a/sticky/{1,2} a/sticky/dir/3 closed/in/4;"
            + " chmod 1777 a/sticky; chmod 0 closed/in; chmod 0 closed;"
            + " chown -R 65534 a closed; chown 65533 a/sticky/dir a/sticky/2");
    Report report = empty();
    assertTrue(report.clean(), report::toString);
    isEmptyAndTheRestIsThere();
  }

  @Test
  @Tag("root")
  void aDirectoryThatIsImmutableIsLeftAndNamed() throws IOException {
    shell("mkdir -p a/b; touch a/b/in a/goes; chattr +i a/b");
    try {
      assertEquals(
          List.of(new TreeRemoval.Left("a/b", "EPERM (Operation not permitted)")), empty().left());
      assertFalse(Files.exists(tree.resolve("a/goes")));
    } finally {
      shell("chattr -i a/b");
    }
    assertTrue(empty().clean());
  }

  @Test
  @Tag("root")
  void mountsOnFilesAndDeepOnesAreLeftAndNamed() throws IOException {
    shell("touch file; perl -e 'for (1..100) { mkdir \"d\"; chdir \"d\" or die }'; mkdir w");
    Path deep = tree.resolve("d/".repeat(100));
    Mount.bind(outside.resolve("precious"), tree.resolve("file"));
    Mount.bind(outside, deep);
    try {
      Report report = empty();
      assertEquals(2, report.leftCount());
      report.left().forEach(it -> assertEquals("something is mounted there", it.reason()));
      assertTrue(report.left().getLast().path().matches("\\.rollcall-deep-\\w+/0(/d)+"));
      assertEquals("all of it", Files.readString(outside.resolve("precious")));
      assertFalse(Files.exists(tree.resolve("w")));
    } finally {
      shell("umount file; umount \"$(findmnt -rno TARGET | grep \"^$PWD\")\"");
    }
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }

  @Test
  void reasonsAndNamesAreForPeople() throws IOException {
    assertEquals("ENOTEMPTY (Directory not empty)", TreeRemoval.reason(39));
    var names = new ArrayDeque<Level>();
    assertEquals(".", PrintablePath.of(names, new byte[0]));
    byte[] name = "a\nb\u001b[1m\u202e\u0085".getBytes(StandardCharsets.UTF_8);
    assertEquals("a?b?[1m??", PrintablePath.of(names, name));
    assertEquals("?x", PrintablePath.of(names, new byte[] {(byte) 0xff, 'x'}));
  }

  @Test
  void aWideAndDeepTree() throws IOException {
    wideAndDeep(100, 200);
  }

  @Test
  @Tag("full")
  void aMillionFilesWideAndDeep() throws IOException {
    wideAndDeep(1_000, 1_000);
  }

  private void wideAndDeep(int directories, int files) throws IOException {
    shell(
        "set -- "
            + directories
            + " "
            + files
            + "\n"
            + """
            perl -e '
              my ($dirs, $files) = @ARGV;
              for my $i (1..$dirs) {
                my $d = $i % 3 ? "d$i" : "\\xff\\n$i" . ("x" x 200);
                mkdir $d or die; chdir $d or die;
                for my $j (1..$files) {
                  if ($j % 50 == 0) { symlink "/", "l$j" }
                  elsif ($j % 20 == 0) { mkdir "e$j"; mkdir "e$j/e" }
                  else { open my $f, ">", "f$j" or die }
                }
                chdir ".." if $i % 4 == 0;
              }' "$@"
            """);
    Report report = empty();
    assertTrue(report.clean(), report::toString);
    assertTrue(report.removed() >= (long) directories * files, report::toString);
    isEmptyAndTheRestIsThere();
  }

  @Test
  @Tag("full")
  void thirtyThousandLevels() throws IOException {
    shell("perl -e 'for (1..30000) { mkdir \"d\"; mkdir \"e\"; chdir \"d\" or die }'");
    assertTrue(empty().clean());
    isEmptyAndTheRestIsThere();
  }
}
