package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills an agent at system calls that change something: the next agent removes what is left. By
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
    int calls = calls(call);
    for (int at : Counts.some("calls of " + call + " at which an agent is killed", calls)) {
      try (ContainerRig rig = new ContainerRig()) {
        String where = "at call " + at + " of " + call;
        assertEquals(KILLED, killedAt(rig, call, at), where);
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
  }

  /** The most that one thread makes of it, of a whole life that nobody kills. */
  private static int calls(String call) throws IOException, InterruptedException {
    try (ContainerRig rig = new ContainerRig()) {
      assertEquals(0, traced(rig, call, List.of()), call);
      Map<String, Long> ofThreads =
          Files.readAllLines(log(rig)).stream()
              .filter(line -> line.matches("\\d+ +" + call + "\\(.*"))
              .collect(
                  Collectors.groupingBy(
                      line -> line.substring(0, line.indexOf(' ')), Collectors.counting()));
      assertFalse(ofThreads.isEmpty(), call + " is not called");
      int most = Collections.max(ofThreads.values()).intValue();
      assertTrue(most < MOST, call + " is called " + most + " times");
      return most;
    }
  }

  private static int killedAt(ContainerRig rig, String call, int number)
      throws IOException, InterruptedException {
    return traced(rig, call, List.of("--inject=%s:signal=SIGKILL:when=%d".formatted(call, number)));
  }

  private static Path log(ContainerRig rig) {
    return rig.top.resolve("strace.log");
  }

  /** Its exit status. */
  private static int traced(ContainerRig rig, String call, List<String> more)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("strace", "--follow-forks", "--output=" + log(rig), "--trace=" + call));
    command.addAll(more);
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
