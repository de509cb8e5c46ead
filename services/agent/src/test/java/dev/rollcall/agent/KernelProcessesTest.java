package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.escape.Processes.Standing;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelProcessesTest {
  /** Linux takes any bytes in a name; in octal for printf(1). */
  @ParameterizedTest
  @ValueSource(strings = {"\\377", "a\\377\\200", "\\rUid:0 1 0 0", "\\rUid:x"})
  void aProcessOfAnyNameIsSeen(String name) throws IOException {
    Optional<Standing> plain = standing("plain");
    assertEquals(
        plain.map(its -> its.uid() + its.cgroup()),
        standing(name).map(its -> its.uid() + its.cgroup()));
  }

  @Test
  void aNameIsGivenAsTheProcessHasIt() throws IOException {
    assertEquals(Optional.of("plain"), standing("plain").map(Standing::command));
    assertEquals(Optional.of("a\ufffdb"), standing("a\\377b").map(Standing::command));
  }

  private static Optional<Standing> standing(String name) throws IOException {
    String script = "printf '" + name + "' >/proc/self/comm; echo; read end";
    Process shell = new ProcessBuilder("sh", "-c", script).start();
    try {
      assertEquals("", shell.inputReader().readLine());
      Optional<Standing> found = KernelProcesses.of(Optional.empty()).look((int) shell.pid());
      found.ifPresent(Standing::close);
      return found;
    } finally {
      shell.destroyForcibly();
    }
  }
}
