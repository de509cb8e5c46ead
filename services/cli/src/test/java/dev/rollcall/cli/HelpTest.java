package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.exit.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
  private final Shell shell = new Shell();

  @Test
  void theVersionComesFromTheBuild() {
    Shell.Ran ran = shell.run("--version");
    assertEquals(0, ran.status());
    assertTrue(ran.out().matches("rollcall [0-9]+\\.[0-9]+\\.[0-9]+\\n"), ran.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job begin",
        "job end",
        "job limit",
        "job devices",
        "job suspend",
        "job resume",
        "job run",
        "job list",
        "jobs",
        "accounts",
        "ps",
        "outside",
        "whois",
        "why",
        "explain",
        "sessions",
        "watch",
        "switch",
        "enter",
        "connect",
        "ssh",
        "doctor",
        "top",
        "nodes",
        "token",
        "config check",
        "config show",
        "node clean",
        "ca init",
        "ca request",
        "ca issue",
        "ca renew",
        "ca revoke",
        "ca show",
        "completion"
      })
  void eachCommandHasHelp(String words) {
    Shell.Ran ran = shell.run((words + " --help").split(" "));
    assertEquals(0, ran.status());
    assertTrue(ran.out().startsWith("Usage: rollcall " + words), ran.out());
  }

  @Test
  void theHelpNamesTheExitCodesAndTheLaunchersWords() {
    String help = shell.run("--help").out();
    for (String words : List.of("5 no answer", "agent and gateway start", "uninstall")) {
      assertTrue(help.contains(words), help);
    }
  }

  @Test
  void theCompletionIsForTheShellsThatAreNamed() {
    assertEquals(ExitCode.USAGE.status(), shell.run("completion", "tcsh").status());
  }
}
