package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertAll;

import dev.rollcall.testkit.docs.RunsOn;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logins into jobs of the Slurm of later Debian releases, on real controllers of cgroup v2 under
 * systemd. {@link VmTest} has those of Debian 12's Slurm.
 */
@RunsOn(
    system = "Debian 12, an emulated machine with a root of Debian 13",
    kernel = "6.1",
    slurm = "24.11",
    tests = "systemd, cgroup v2 with all controllers, logins into Slurm's jobs")
@RunsOn(
    system = "Debian 12, an emulated machine with a root of sid",
    kernel = "6.1",
    slurm = "26.05",
    tests = "systemd, cgroup v2 with all controllers, logins into Slurm's jobs")
@Tag("vm")
@Tag("full")
class SlurmMachineTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"24.11", "26.05"})
  void loginsAreInJobsOfSlurm(String version) {
    Booted machine = Booted.withSlurm(version, folder);

    assertAll(
        Booted.WITH_SLURM.stream().map(scene -> (Executable) () -> machine.assertHeld(scene)));
  }
}
