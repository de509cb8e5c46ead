package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Processes.Seen;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelProcessesTest {
  /** Linux takes any bytes in a name; in octal for printf(1). */
  @ParameterizedTest
  @ValueSource(strings = {"\\377", "a\\377\\200", "\\rUid:0 1 0 0", "\\rUid:x"})
  void aProcessOfAnyNameIsSeen(String name) throws IOException {
    Optional<Seen> plain = seen("plain");
    assertEquals(
        plain.map(its -> its.uid() + its.cgroup()),
        seen(name).map(its -> its.uid() + its.cgroup()));
  }

  @Test
  void aNameIsGivenAsTheProcessHasIt() throws IOException {
    assertEquals(Optional.of("plain"), seen("plain").map(Seen::command));
    assertEquals(Optional.of("a\ufffdb"), seen("a\\377b").map(Seen::command));
  }

  /** This test's own process is the parent of another one. */
  @Test
  void aProcessIsSeenWithItsParentAndSinceWhenItRuns() throws Exception {
    var processes = KernelProcesses.of(Optional.empty());
    Instant before = Instant.now().minusSeconds(2);
    Process sleep = new ProcessBuilder("sleep", "60").start();
    try {
      int pid = (int) sleep.pid();
      int own = (int) ProcessHandle.current().pid();
      await(() -> processes.see(pid).filter(seen -> seen.command().equals("sleep")).isPresent());
      Seen seen = processes.see(pid).orElseThrow();
      Seen parent = processes.see(own).orElseThrow();
      assertEquals(own, seen.parent());
      assertEquals(parent.uid(), seen.uid());
      assertEquals(parent.uid(), seen.realUid());
      assertEquals(parent.cgroup(), seen.cgroup());
      assertTrue(seen.startedAt().isAfter(before), seen::toString);
      assertTrue(seen.startedAt().isBefore(Instant.now().plusSeconds(2)), seen::toString);
      assertFalse(parent.startedAt().isAfter(seen.startedAt()), parent::toString);
      Set<Integer> listed = new HashSet<>();
      processes.forEach(uid -> uid == seen.uid(), listed::add);
      assertTrue(listed.containsAll(List.of(pid, own)), listed::toString);
      listed.clear();
      processes.forEach(_ -> false, listed::add);
      assertEquals(Set.of(), listed);
    } finally {
      sleep.destroyForcibly().waitFor();
    }
    assertEquals(Optional.empty(), processes.see((int) sleep.pid()));
  }

  @Test
  void aProcessIsPinnedWithItsUidsAndKnownUntilItEnds() throws Exception {
    var processes = KernelProcesses.of(Optional.empty());
    int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Process sleep = new ProcessBuilder("sleep", "600").start();
    try (var owned = processes.pin((int) sleep.pid()).orElseThrow()) {
      assertEquals(own, owned.realUid());
      assertEquals(own, owned.effectiveUid());
      assertTrue(processes.runs(owned.process().ref()));
      sleep.destroyForcibly().waitFor();
      assertFalse(owned.process().alive());
      assertFalse(processes.runs(owned.process().ref()));
    } finally {
      sleep.destroyForcibly();
    }
  }

  @Test
  void whatAProcessBeganIsBelowItWithWhatThatBegan() throws Exception {
    var processes = KernelProcesses.of(Optional.empty());
    int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Process shell = new ProcessBuilder("sh", "-c", "sh -c 'sleep 600; :' & wait").start();
    try {
      int pid = (int) shell.pid();
      ProcessRef first = new Proc(Path.of("/proc")).ref(pid).orElseThrow();
      Await.until("shell and sleep are there", () -> processes.below(first, own).size() == 2);
      assertEquals(List.of(), processes.below(first, own + 1));
      assertEquals(List.of(), processes.below(new ProcessRef(pid, first.startTime() + 1), own));
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }
  }

  @Test
  void aPidThatNobodyHasIsNoProcess() throws IOException {
    assertEquals(Optional.empty(), KernelProcesses.of(Optional.empty()).pin(Integer.MAX_VALUE));
  }

  private interface Check {
    boolean holds() throws IOException;
  }

  private static void await(Check check) {
    Await.until(
        "it is so",
        () -> {
          try {
            return check.holds();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  private static Optional<Seen> seen(String name) throws IOException {
    String script = "printf '" + name + "' >/proc/self/comm; echo; read end";
    Process shell = new ProcessBuilder("sh", "-c", script).start();
    try {
      assertEquals("", shell.inputReader().readLine());
      return KernelProcesses.of(Optional.empty()).see((int) shell.pid());
    } finally {
      shell.destroyForcibly();
    }
  }
}
