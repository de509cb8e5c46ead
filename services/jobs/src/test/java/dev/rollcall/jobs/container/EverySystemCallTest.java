package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is left when an agent is killed at a system call that changes something, each in turn: by
 * strace(1), which counts the calls of each thread.
 */
@Tag("root")
@Tag("host")
class EverySystemCallTest {
  private static final int MOST = 60;
  private static final int KILLED = 128 + 9;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unshare",
        "setns",
        "mount",
        "umount2",
        "mkdir",
        "rename",
        "renameat2",
        "lchown",
        "fchmod",
        "chmod",
        "unlink",
        "rmdir"
      })
  void theNextAgentRemovesWhatIsLeft(String call) throws Exception {
    int at = 0;
    int status = KILLED;
    while (status == KILLED) {
      at++;
      assertTrue(at < MOST, call + " is called without end");
      try (ContainerRig rig = new ContainerRig()) {
        status = killedAt(rig, call, at);
        String where = "at call " + at + " of " + call;
        assertTrue(status == KILLED || status == 0, () -> where);
        JobContainers next = rig.open();
        next.restore(Set.of());
        // One mount stays, the directory of all of them.
        assertEquals(1, rig.mounts().size(), where);
        assertEquals(Set.of(), next.files(job(42)).keySet(), where);
        rig.awaitEmptyBase();
        next.create(job(42), ALICE, ALICE);
        assertEquals("", rig.inside(42, ALICE, "ls -A /tmp"), where);
      }
    }
    assertTrue(at > 1, call + " is not called");
    System.out.printf("[counts] killed at each of %d calls of %s%n", at - 1, call);
  }

  private static int killedAt(ContainerRig rig, String call, int number)
      throws IOException, InterruptedException {
    Path log = rig.top.resolve("strace.log");
    List<String> command =
        new ArrayList<>(
            List.of(
                "strace",
                "--follow-forks",
                "--output=" + log,
                "--trace=" + call,
                "--inject=%s:signal=SIGKILL:when=%d".formatted(call, number)));
    command.addAll(KilledAgent.command(rig, 0, false));
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), call);
      return process.exitValue();
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
