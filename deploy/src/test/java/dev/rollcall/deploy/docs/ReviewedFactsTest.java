package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Facts that stand in several files, of which one was once changed alone. */
class ReviewedFactsTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));

  private static String text(String file) throws IOException {
    return Files.readString(HOME.resolve(file));
  }

  @Test
  void noPageOffersRulesOfSelinuxAsTheSolution() throws IOException {
    assertTrue(text("docs/install.md").contains("**In enforcing mode it does not work yet:**"));
    String section = Page.read("pam.md").section("## SELinux").text();
    assertTrue(section.contains("In enforcing mode Rollcall does not work yet."), section);
    assertTrue(section.contains("(install.md#selinux-and-apparmor)"), section);
    assertTrue(text("deploy/selinux/rollcall.te").contains("docs/install.md says how to install"));
  }

  @Test
  void theUsersFileHasOneNameByHandAndInPackages() throws IOException {
    assertTrue(text("docs/operations.md").contains("/usr/lib/sysusers.d/rollcall-gateway.conf`"));
    assertTrue(
        text("deploy/packages/rpm/rollcall.spec")
            .contains("/usr/lib/sysusers.d/rollcall-gateway.conf\n"));
  }

  /**
   * NOTICE names classes of services/linux that are under MIT; only the module has none of them.
   */
  @Test
  void thePackagesOfJavaNameBothLicences() throws IOException {
    String spec = text("deploy/packages/rpm/rollcall.spec");
    assertTrue(text("NOTICE").contains("offered under the MIT License"));
    assertTrue(spec.contains("\nLicense: Apache-2.0 AND MIT\n"), spec);
    assertTrue(spec.contains("%package -n pam_rollcall\nLicense: Apache-2.0\n"), spec);
  }

  /** The unit has no CAP_BPF. */
  @Test
  void aRemedyNamesACapabilityThatTheAgentsUnitHas() throws IOException {
    String unit = text("deploy/systemd/rollcall-agent.service");
    String checks = text("services/cli/src/main/java/dev/rollcall/cli/doctor/AgentChecks.java");
    assertTrue(checks.contains("CAP_SYS_ADMIN") && !checks.contains("CAP_BPF"), checks);
    assertTrue(
        unit.lines()
            .anyMatch(line ->
                line.startsWith("CapabilityBoundingSet=") && line.contains("CAP_SYS_ADMIN")),
        unit);
  }
}
