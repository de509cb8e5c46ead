package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Facts that stand in several files, of which one was once changed alone. */
class ReviewedFactsTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));

  private static String text(String file) throws IOException {
    return Files.readString(HOME.resolve(file));
  }

  @Test
  void pagesNameThePolicyModuleOfSelinux() throws IOException {
    assertTrue(text("docs/install.md").contains("/usr/lib/rollcall/lib/selinux/policy install"));
    String section = Page.read("pam.md").section("## SELinux").text();
    assertTrue(section.contains("Rollcall's policy module permits this"), section);
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

  /** Logins over other ports do wait for the source node's agent. */
  @Test
  void readmePromisesNoLoginWithoutTheSourceNodeBesidesSshsPort() throws IOException {
    String readme = text("README.md").replaceAll("\\s+", " ");
    assertFalse(readme.contains("without asking the source"), readme);
    assertTrue(
        readme.contains(
            "For ssh's port no login waits for an answer of the source node; [a"
                + " table](docs/adoption.md#where-the-caller-comes-from) shows the lookups that do."),
        readme);
    assertTrue(
        text("docs/adoption.md").contains("| login, by another port | yes, a second by default "));
  }

  /** It once said that there are no packages, and some lines above that there are. */
  @Test
  void theChangelogHasOnlyWhatThereIs() throws IOException {
    assertFalse(Pattern.compile("(?i)not (there )?yet").matcher(text("CHANGELOG.md")).find());
  }
}
