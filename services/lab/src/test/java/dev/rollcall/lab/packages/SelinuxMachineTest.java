package dev.rollcall.lab.packages;

import dev.rollcall.lab.machine.VmRecipe;
import dev.rollcall.testkit.docs.RunsOn;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logins on an emulated machine whose kernel enforces Debian's SELinux policy, with the module of
 * {@code deploy/selinux}.
 */
@RunsOn(
    system = "Debian 12, an emulated machine",
    kernel = "6.1",
    selinux = "enforcing",
    tests = "logins under Debian's policy")
@Tag("vm")
@Tag("full")
class SelinuxMachineTest {
  private static final String WORDS =
      "security=selinux selinux=1 enforcing=0 audit=1 audit_backlog_limit=8192";

  @TempDir private Path folder = Path.of("");

  @Test
  void loginsAreAdoptedUnderAnEnforcedPolicy() throws Exception {
    var machine = new PolicyMachine(folder, VmRecipe.debian12().withSelinux(), WORDS, "selinux.sh");
    machine.assertPlays(11);
  }
}
