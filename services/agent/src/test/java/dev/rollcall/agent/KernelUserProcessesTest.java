package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void aPidThatNobodyHasIsNoProcess() throws IOException {
    assertEquals(Optional.empty(), processes.pin(Integer.MAX_VALUE));
  }
}
