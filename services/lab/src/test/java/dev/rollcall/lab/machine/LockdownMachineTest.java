package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.docs.RunsOn;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel in lockdown (kernel_lockdown(7)) loads the agent's BPF program all the same. */
@RunsOn(
    system = "Debian 12, an emulated machine in lockdown",
    kernel = "6.1",
    tests = "agent, eBPF, a login")
@Tag("vm")
@Tag("full")
class LockdownMachineTest {
  private static final String LOCK =
      """
      mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
      echo %s >/sys/kernel/security/lockdown
      cat /sys/kernel/security/lockdown
      """;

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"integrity", "confidentiality"})
  void callsAreRecordedByTheKernel(String lockdown) {
    Booted machine = Booted.after(LOCK.formatted(lockdown), List.of("vm-session-in-job"), folder);

    assertTrue(machine.lines().stream().anyMatch(line -> line.contains("[" + lockdown + "]")));
    assertTrue(
        machine.lines().stream()
            .anyMatch(line -> line.startsWith("attached the sock_ops program to ")),
        () -> String.join("\n", machine.lines()));
    machine.assertHeld("vm-session-in-job");
  }
}
