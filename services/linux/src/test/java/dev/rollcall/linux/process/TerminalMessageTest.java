package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminalMessageTest {
  private final Proc proc = new Proc(Path.of("/proc"));

  /** Runs a command on a terminal of its own, by script(1), whose output is what is shown there. */
  private static Process onATerminal(String command) throws IOException {
    return new ProcessBuilder("script", "-qec", command, "/dev/null")
        .redirectErrorStream(true)
        .start();
  }

  private static List<Integer> below(Process process) {
    return process.descendants().map(each -> (int) each.pid()).toList();
  }

  /** The next line that is not empty: the terminal adds carriage returns of its own. */
  private static String words(BufferedReader shown) throws IOException {
    String line = shown.readLine();
    while (line != null && line.isEmpty()) {
      line = shown.readLine();
    }
    return String.valueOf(line);
  }

  @Test
  void isShownOnceOnATerminalThatSeveralProcessesHave() throws Exception {
    Process shell = onATerminal("sleep 600 & echo ready; wait");
    try (BufferedReader shown = shell.inputReader()) {
      assertEquals("ready", shown.readLine());
      List<Integer> pids = below(shell);
      assertTrue(pids.size() >= 2, "a shell and its sleep: " + pids);
      assertEquals(1, new TerminalMessage(proc, "job 42 ends").writeTo(pids));
      assertEquals("job 42 ends", words(shown));
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() throws Exception {
    Process shell = onATerminal("echo ready; sleep 600");
    try (BufferedReader shown = shell.inputReader()) {
      assertEquals("ready", shown.readLine());
      new TerminalMessage(proc, "one\u001b[2J\u009btwo\nthree\u0007").writeTo(below(shell));
      assertEquals("one [2J two three", words(shown));
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  @Test
  void aTerminalThatTakesNothingIsLeftOutAndNothingWaits() throws Exception {
    Process shell = onATerminal("stty raw -echo; echo ready; sleep 600");
    try (BufferedReader shown = shell.inputReader()) {
      assertTrue(String.valueOf(shown.readLine()).startsWith("ready"));
      // Nobody reads on: the terminal and the pipe behind it fill up.
      String much = "x".repeat(1_000);
      int took = 1;
      for (int each = 0; each < 10_000 && took == 1; each++) {
        took = new TerminalMessage(proc, much).writeTo(below(shell));
      }
      assertEquals(0, took);
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  @Test
  void aTerminalOfTheSameNumberThatIsAnothersUsersIsLeftOut(@TempDir Path devpts) throws Exception {
    Process shell = onATerminal("echo ready; sleep 600");
    try (BufferedReader shown = shell.inputReader()) {
      assertEquals("ready", shown.readLine());
      // As a job sees it that has a devpts of its own: the number is of another terminal here.
      int number = (int) (proc.terminal(below(shell).getFirst()).orElseThrow() & 0xff);
      Path other = devpts.resolve(Integer.toString(number));
      Files.createFile(other);
      var message = new TerminalMessage(proc, devpts, "not for you");
      assertEquals(0, message.writeTo(below(shell)), "it is no terminal");
      assertEquals(0, Files.size(other));
      assertEquals(1, new TerminalMessage(proc, "job 42 ends").writeTo(below(shell)));
      assertEquals("job 42 ends", words(shown));
      Path recorded = devpts.resolve("proc");
      Path another = Files.createDirectories(recorded.resolve("17"));
      Files.copy(Path.of("/proc/" + below(shell).getFirst() + "/stat"), another.resolve("stat"));
      Files.writeString(another.resolve("status"), "Uid:\t4242\t0\t0\t0\nGid:\t0\t0\t0\t0\n");
      assertEquals(0, new TerminalMessage(new Proc(recorded), "not yours").writeTo(List.of(17)));
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  @Test
  void theTerminalStandsInTheSeventhFieldAlsoWithALargeMinorNumber(@TempDir Path root)
      throws Exception {
    String rest = " 0".repeat(14) + " 99 0\n";
    Files.createDirectory(root.resolve("17"));
    Files.writeString(root.resolve("17/stat"), "17 (a) b) S 1 2 3 34816" + rest);
    Files.createDirectory(root.resolve("18"));
    Files.writeString(root.resolve("18/stat"), "18 (a) S 1 2 3 -2146400256" + rest);
    Files.createDirectory(root.resolve("19"));
    Files.writeString(root.resolve("19/stat"), "19 (a) S 1 2 3 0" + rest);
    Proc recorded = new Proc(root);
    assertEquals(0, new TerminalMessage(recorded, "nobody").writeTo(List.of(17, 19, 20)));
    assertEquals(34816, recorded.terminal(17).orElseThrow());
    assertEquals(0x80108800L, recorded.terminal(18).orElseThrow());
    assertTrue(recorded.terminal(19).isEmpty());
    assertTrue(recorded.terminal(20).isEmpty());
  }
}
