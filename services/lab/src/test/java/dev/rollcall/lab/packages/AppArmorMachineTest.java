package dev.rollcall.lab.packages;

import dev.rollcall.lab.machine.VmRecipe;
import dev.rollcall.testkit.docs.RunsOn;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logins on an emulated machine whose kernel enforces an AppArmor profile of sshd, with the lines
 * of {@code deploy/apparmor}.
 */
@RunsOn(
    system = "Debian 12, an emulated machine with AppArmor",
    kernel = "6.1",
    tests = "logins while sshd has an enforced profile")
@Tag("vm")
@Tag("full")
class AppArmorMachineTest {
  private static final String WORDS =
      "apparmor=1 security=apparmor audit=1 audit_backlog_limit=8192 log_buf_len=8M";

  @TempDir private Path folder = Path.of("");

  @Test
  void loginsAreAdoptedUnderAnEnforcedProfile() throws Exception {
    var machine =
        new PolicyMachine(folder, VmRecipe.debian12().withAppArmor(), WORDS, "apparmor.sh");
    machine.assertPlays(10);
  }
}
