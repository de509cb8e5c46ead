package dev.rollcall.testkit.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @Test
  void whatItStartedIsKilledWithIt() {
    Running shell = Running.start(List.of("sh", "-c", "sleep 600 & echo child $!.; wait"));
    shell.awaitOutput(".", DEADLINE);
    String said = shell.outSoFar();
    long pid = Long.parseLong(said.substring("child ".length(), said.indexOf('.')));
    assertTrue(ProcessHandle.of(pid).isPresent());
    shell.kill();
    Eventually.await(
        DEADLINE,
        () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty(),
        () -> "process " + pid + " lives on");
  }
}
