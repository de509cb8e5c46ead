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
