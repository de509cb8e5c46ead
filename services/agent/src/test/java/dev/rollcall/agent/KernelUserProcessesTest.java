package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KernelUserProcessesTest {
  private final KernelUserProcesses processes = new KernelUserProcesses();

  @Test
  void aProcessIsPinnedWithItsUidsAndKnownUntilItEnds() throws Exception {
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
    assertEquals(Optional.empty(), processes.pin(Integer.MAX_VALUE));
  }
}
