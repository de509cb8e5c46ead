package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmLinesTest {
  @TempDir Path directory;

  private Path file() {
    return directory.resolve("a.conf");
  }

  private SlurmLines read(String text) throws IOException {
    return SlurmLines.read(Files.writeString(file(), text));
  }

  private static List<String> shown(SlurmLines.Line line) {
    return line.pairs().stream()
        .map(pair -> pair.place().line() + " " + pair.key() + "=" + pair.value())
        .toList();
  }

  private static List<String> texts(SlurmLines lines) {
    return lines.problems().stream()
        .map(problem -> problem.place().line() + ": " + problem.text())
        .toList();
  }

  @Test
  void eachPairHasItsOwnLineWhereALineGoesOn() throws IOException {
    SlurmLines lines = read("# first\nA=1 b = 2 \\\n  C=\"x y\" \\\n  D=4\n\nE=5 # last\n");
    assertEquals(List.of("2 A=1", "2 b=2", "3 C=x y", "4 D=4"), shown(lines.lines().getFirst()));
    assertEquals(List.of("6 E=5"), shown(lines.lines().getLast()));
    assertEquals(List.of(), lines.problems());
  }

  @Test
  void aSignAfterABackslashIsNoComment() throws IOException {
    assertEquals(List.of("1 A=/x#y"), shown(read("A=/x\\#y #z\n").lines().getFirst()));
  }

  @Test
  void everyProblemIsToldAndTheRestIsRead() throws IOException {
    SlurmLines lines = read("A=1 oops\nB=\nC=3\n\"D\"=4\nE=5 \\\n what\n");
    assertEquals(
        List.of(
            "1: expected Key=Value, not 'oops'",
            "4: expected Key=Value, not '\"D\"=4'",
            "6: expected Key=Value, not 'what'"),
        texts(lines));
    assertEquals(
        List.of(List.of("1 A=1"), List.of("2 B="), List.of("3 C=3"), List.of("5 E=5")),
        lines.lines().stream().map(SlurmLinesTest::shown).toList());
    assertEquals(
        List.of(false, true, true, false),
        lines.lines().stream().map(SlurmLines.Line::whole).toList());
  }

  @Test
  void filesThatIncludeEachOtherAreRefusedOnce() throws IOException {
    SlurmLines lines = read("Include a.conf\nInclude a.conf\nInclude a.conf\n");
    assertEquals(List.of("1: includes are nested over 8"), texts(lines));
  }

  @Test
  void aFileThatCannotBeIncludedIsNamedWhereItIsIncluded() throws IOException {
    SlurmLines lines = read("A=1\ninclude none.conf\nB=2\n");
    String other = directory.resolve("none.conf").toString();
    assertEquals(List.of("2: include " + other + ": there is no such file"), texts(lines));
    assertEquals(2, lines.lines().size());
  }

  @Test
  void commentsMayBeInAnotherEncoding() throws IOException {
    Files.write(file(), "# f\u00fcr alle\nA=1 # \u00fc\n".getBytes(StandardCharsets.ISO_8859_1));
    SlurmLines lines = SlurmLines.read(file());
    assertEquals(List.of(), texts(lines));
    assertEquals("1", lines.lines().getFirst().pairs().getFirst().value());
  }

  @Test
  void whatIsNoTextIsRefused() throws IOException {
    Files.write(file(), "#\nA=\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(List.of("2: is not text in UTF-8"), texts(SlurmLines.read(file())));
    Files.writeString(file(), "#".repeat(FileText.LARGEST + 1));
    assertEquals(List.of("0: is larger than 1048576 bytes"), texts(SlurmLines.read(file())));
    assertEquals(
        List.of("0: there is no such file"), texts(SlurmLines.read(directory.resolve("x"))));
    String directoryItself = texts(SlurmLines.read(directory)).getFirst();
    assertTrue(directoryItself.startsWith("0: cannot be read: "), directoryItself);
  }
}
