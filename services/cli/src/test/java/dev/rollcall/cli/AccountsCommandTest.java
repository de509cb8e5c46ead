package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts in the columns of sacct. */
class AccountsCommandTest {
  private static final String HEADER =
      "JobID|JobName|UID|NodeList|Start|End|Elapsed|State|UserCPU|SystemCPU|TotalCPU|MaxRSS"
          + "|MaxDiskRead|MaxDiskWrite\n";
  private static final Instant BEGAN = Instant.parse("2026-11-21T12:00:00.5Z");

  @TempDir private Path temp = Path.of("/nonexistent");
  private final Shell shell = new Shell();

  private static String account(String kind, String step, String session, String ended) {
    return """
    {"kind":"%s","node":"node2","job":42,"step":%s,"session":%s,"uid":1001,\
    "began_at":"%s","ended_at":%s,"user_seconds":81.25,"system_seconds":3601.5,\
    "memory_now":0,"memory_peak":73400320,"read_bytes":4194304,"written_bytes":null,\
    "oom_kills":0,"pids_refused":0,"pressure":null}
    """
        .formatted(kind, step, session, BEGAN, ended);
  }

  private String file(String text) throws IOException {
    return file("usage.jsonl", text);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(temp.resolve(name), text).toString();
  }

  private static String local(Instant at) {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss")
        .withZone(ZoneId.systemDefault())
        .format(at);
  }

  private static String row(String id, String name, String end, String elapsed, String state) {
    return "%s|%s|1001|node2|%s|%s|%s|%s|01:21.250|01:00:01|01:01:22|73400320|4194304|\n"
        .formatted(id, name, local(BEGAN), end, elapsed, state);
  }

  @Test
  void aSessionAStepAndAJobAreLinesOfSacct() throws IOException {
    Instant end = Instant.parse("2026-11-22T13:30:00.5Z");
    String ended = "\"" + end + "\"";
    String all =
        account("session", "\"extern\"", "3", ended)
            + account("step", "\"0\"", "null", "null")
            + account("job", "null", "null", ended);
    assertEquals(
        new Shell.Ran(
            0,
            HEADER
                + row("42.extern", "session.3", local(end), "01-01:30:00", "COMPLETED")
                + row("42", "", local(end), "01-01:30:00", "COMPLETED")
                + row("42.0", "0", "Unknown", "", "RUNNING"),
            ""),
        shell.run("accounts", file(all)));
    assertEquals(
        new Shell.Ran(0, row("42.extern", "session.3", local(end), "01-01:30:00", "COMPLETED"), ""),
        shell.run("accounts", "--kind", "session", "--noheader", file(all)));
  }

  @Test
  void aJobThatRanOutOfMemoryHasSlurmsWordForIt() throws IOException {
    String line =
        account("job", "null", "null", "\"" + BEGAN + "\"")
            .replace("\"oom_kills\":0", "\"oom_kills\":2");
    Shell.Ran ran = shell.run("accounts", file(line));
    assertTrue(ran.out().contains("|00:00:00|OUT_OF_MEMORY|"), ran::out);
  }

  @Test
  void aLineThatIsNoAccountIsNamedAndTheOthersArePrinted() throws IOException {
    String good = account("job", "null", "null", "null");
    for (String bad :
        new String[] {
          "{",
          "[]",
          "{\"kind\":\"job\"}\n",
          good.replace("node2", "a|b"),
          good.replace("42", "x"),
          good.replace("job\",", "task\",")
        }) {
      String path = file(bad.strip() + "\n" + good);
      Shell.Ran ran = shell.run("accounts", path);
      assertEquals(1, ran.status(), bad);
      assertEquals(HEADER + row("42", "", "Unknown", "", "RUNNING"), ran.out(), bad);
      assertTrue(ran.err().startsWith("rollcall: " + path + " line 1: "), ran::err);
    }
  }

  @Test
  void aKindThatDoesNotExistIsNoAccount() throws IOException {
    String path = file(account("task", "null", "null", "null"));
    assertEquals(
        "rollcall: " + path + " line 1: it is no account\n", shell.run("accounts", path).err());
  }

  @Test
  void aByteThatIsNotUtf8SpoilsOnlyItsLine() throws IOException {
    String good = account("job", "null", "null", "null");
    Path path = temp.resolve("usage.jsonl");
    Files.writeString(path, good + good.replace("node2", "n\u00e9"), StandardCharsets.ISO_8859_1);
    Shell.Ran ran = shell.run("accounts", path.toString(), file("later", good.replace("42", "43")));
    assertEquals(1, ran.status());
    assertEquals(
        HEADER + row("42", "", "Unknown", "", "RUNNING") + row("43", "", "Unknown", "", "RUNNING"),
        ran.out());
    assertEquals("rollcall: " + path + " line 2: node is no word\n", ran.err());
  }

  @Test
  void rotatedFilesAreReadAndAFileThatCannotBeReadIsLeftOut() throws IOException {
    Path rotated = temp.resolve("usage.jsonl.2.gz");
    try (var to = new GZIPOutputStream(Files.newOutputStream(rotated))) {
      to.write(account("job", "null", "null", "null").getBytes(StandardCharsets.UTF_8));
    }
    String plain = file("plain.gz", "{}");
    Shell.Ran ran = shell.run("accounts", "/nowhere", plain, temp.toString(), rotated.toString());
    assertEquals(1, ran.status());
    assertEquals(HEADER + row("42", "", "Unknown", "", "RUNNING"), ran.out());
    assertEquals(
        """
        rollcall: /nowhere: there is no such file
        rollcall: %s: cannot be read: java.util.zip.ZipException: Not in GZIP format
        rollcall: %s: cannot be read: java.io.IOException: Is a directory
        """
            .formatted(plain, temp),
        ran.err());
  }

  @Test
  void aLineThatIsTooLongIsReportedAndTheOthersArePrinted() throws IOException {
    String account = account("job", "null", "null", "null");
    String longest = account.strip() + " ".repeat(65_536 - account.strip().length());
    String path = file("x".repeat(1 << 20) + "\n" + longest + " \n" + longest);
    assertEquals(
        new Shell.Ran(
            1,
            HEADER + row("42", "", "Unknown", "", "RUNNING"),
            """
            rollcall: %1$s line 1: it is longer than 65536 bytes
            rollcall: %1$s line 2: it is longer than 65536 bytes
            """
                .formatted(path)),
        shell.run("accounts", path));
  }

  /** A closed session with remaining processes has a line without an end before its last one. */
  @Test
  void aSessionHasOneRowInWhateverOrderItsLinesAre() throws IOException {
    Instant end = Instant.parse("2026-11-22T13:30:00.5Z");
    String open = account("session", "\"extern\"", "3", "null");
    String ended = account("session", "\"extern\"", "3", "\"" + end + "\"");
    String other = account("session", "\"extern\"", "4", "null");
    String expected =
        row("42.extern", "session.3", local(end), "01-01:30:00", "COMPLETED")
            + row("42.extern", "session.4", "Unknown", "", "RUNNING");
    for (String all :
        new String[] {open + other + ended, ended + open + other, open + ended + other + ended}) {
      assertEquals(
          new Shell.Ran(0, expected, ""), shell.run("accounts", "--noheader", file(all)), all);
    }
    assertEquals(
        new Shell.Ran(0, expected, ""),
        shell.run("accounts", "--noheader", file("new", ended), file("old", open + other)));
  }

  @Test
  void elapsedIsEndMinusStartAsPrintedAndNeverNegative() throws IOException {
    for (String[] pair :
        new String[][] {
          {"2026-11-21T12:30:00Z", "00:30:00"}, {"2026-11-21T11:54:30Z", "00:00:00"}
        }) {
      String line = account("session", "\"extern\"", "3", "\"" + pair[0] + "\"");
      assertEquals(
          row("42.extern", "session.3", local(Instant.parse(pair[0])), pair[1], "COMPLETED"),
          shell.run("accounts", "--noheader", file(line)).out());
    }
  }

  @Test
  void aTimeThatIsNotCountedIsEmpty() throws IOException {
    String line =
        account("step", "\"0\"", "null", "null")
            .replace(":81.25,", ":null,")
            .replace(":3601.5,", ":null,");
    String row =
        row("42.0", "0", "Unknown", "", "RUNNING").replace("|01:21.250|01:00:01|01:01:22|", "||||");
    assertEquals(HEADER + row, shell.run("accounts", file(line)).out());
  }

  @Test
  void aTimeIsRoundedAndNotCutByItsBinaryFraction() throws IOException {
    String line = account("job", "null", "null", "null").replace("81.25", "1.001");
    assertTrue(shell.run("accounts", file(line)).out().contains("|00:01.001|"));
  }

  @Test
  void aFileThatDoesNotExistAndAnUnknownKindAreNamed() throws IOException {
    assertEquals(
        new Shell.Ran(1, HEADER, "rollcall: /nowhere: there is no such file\n"),
        shell.run("accounts", "/nowhere"));
    Shell.Ran ran = shell.run("accounts", "--kind", "task", file(""));
    assertEquals(2, ran.status());
    assertTrue(ran.err().contains("'task' is neither session, step nor job"), ran::err);
  }
}
