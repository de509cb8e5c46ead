package dev.rollcall.lab.machine;

import dev.rollcall.testkit.docs.RunsOn;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * pam_systemd of a session moves it out of the v1 hierarchies of systemd's own controllers, and out
 * of v2 where that is the only one: then it is moved into its job again.
 */
@RunsOn(
    system = "Debian 12, an emulated machine with cgroup v1, and with v1 beside v2",
    kernel = "6.1",
    tests = "sessions of logind")
@Tag("vm")
@Tag("full")
class LogindMachineTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource(
      value = CgroupMounting.class,
      names = {"V1", "HYBRID"})
  void theSessionIsInItsJobInEachHierarchy(CgroupMounting cgroups) {
    Booted machine = Booted.with(cgroups, List.of("vm-logind-session", "vm-two-factors"), folder);

    machine.assertHeld("vm-logind-session");
    machine.assertHeld("vm-two-factors");
  }
}
