package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.exit.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnterTest {
  private static final String PROGRAM = "exec '/opt/rollcall/lib/container/rollcall-enter' ";

  private final Shell shell = new Shell();

  @Test
  void itBecomesTheProgramThatEnters() {
    assertEquals(new Shell.Ran(0, "", ""), shell.run("enter"));
    assertEquals(0, shell.run("enter", "4711").status());
    assertEquals(0, shell.run("enter", "--", "ls", "-l", "it's").status());
    assertEquals(0, shell.run("enter", "4711", "--", "4712").status());
    assertEquals(
        List.of(
            PROGRAM + "'--task' 'any'\n",
            PROGRAM + "'--task' '4711'\n",
            PROGRAM + "'--task' 'any' '--' 'ls' '-l' 'it'\\''s'\n",
            PROGRAM + "'--task' '4711' '--' '4712'\n"),
        shell.plans);
  }

  @Test
  void otherWordsAreRefused() {
    for (String word : List.of("any", "ls", "0", "-1", "1234567890")) {
      assertEquals(ExitCode.USAGE.status(), shell.run("enter", word).status(), word);
    }
    Shell.Ran ran = shell.run("enter", "4711", "ls");
    assertEquals(ExitCode.USAGE.status(), ran.status());
    assertTrue(ran.err().contains("'ls' is one argument too many"), ran::err);
    assertEquals(List.of(), shell.plans);
  }
}
