package dev.rollcall.wire.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemdJournalLineTest {
  @TempDir private Path folder;

  /** A process that says two lines by the log of this package. */
  static final class Talker {
    private Talker() {}

    public static void main(String[] words) {
      LogLine.begin();
      System.getLogger("talker").log(System.Logger.Level.WARNING, "the file is {0}", "full");
      System.getLogger("talker")
          .log(System.Logger.Level.ERROR, "it fell", new IllegalStateException("off"));
    }
  }

  @ParameterizedTest
  @CsvSource({"SEVERE, 3", "WARNING, 4", "INFO, 6", "CONFIG, 7", "FINE, 7"})
  void beginsWithTheLevelAsSyslogCountsIt(String level, int priority) {
    assertEquals(
        "<" + priority + ">session a-1\n",
        new SystemdJournalLine().format(new LogRecord(Level.parse(level), "session a-1")));
  }

  @Test
  void aMessageThatHasANewlineIsOneLine() {
    assertEquals(
        "<6>one\\n<0>two\n",
        new SystemdJournalLine().format(new LogRecord(Level.INFO, "one\n<0>two")));
  }

  /** The file is the stream whose name the process is told. */
  @Test
  void isWrittenWhereStandardErrorIsTheJournal() throws Exception {
    List<String> lines = said(folder.resolve("log"), true);
    assertEquals("<4>the file is full", lines.getFirst());
    assertTrue(lines.contains("<3>java.lang.IllegalStateException: off"), lines::toString);
    assertTrue(lines.stream().allMatch(line -> line.matches("<[34]>.*")), lines::toString);
  }

  @Test
  void isNotWrittenWhereItIsNot() throws Exception {
    List<String> lines = said(folder.resolve("log"), false);
    assertTrue(lines.getFirst().endsWith(" WARNING the file is full"), lines::toString);
  }

  private static List<String> said(Path log, boolean isTheJournal) throws Exception {
    Files.createFile(log);
    var builder =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Talker.class.getName());
    builder.environment().put("JOURNAL_STREAM", isTheJournal ? stream(log) : "9:99999999");
    Process process = builder.redirectError(log.toFile()).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return Files.readAllLines(log);
  }

  private static String stream(Path file) throws IOException {
    return Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino");
  }

  @Test
  void withoutTheVariableNothingIsTheJournal() throws IOException {
    Path file = Files.createFile(folder.resolve("a"));
    assertFalse(SystemdJournalLine.is(Map.of(), file));
    assertTrue(SystemdJournalLine.is(Map.of("JOURNAL_STREAM", stream(file)), file));
  }
}
