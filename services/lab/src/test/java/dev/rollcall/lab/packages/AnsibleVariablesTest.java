package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Variables of the role of deploy/ansible, as the real Ansible evaluates them. {@code -e} on the
 * command line passes strings: {@code false} is then the text "false".
 */
@Tag("root") // the tier that installs Ansible
class AnsibleVariablesTest {
  private static final Path ROLE = SourceTree.DEPLOY.resolve("ansible/roles/rollcall");

  @TempDir private Path folder = Path.of("");

  @Test
  void nodesInAuditOnlyModeNeitherRefuseNorDelayWithoutAnAgent() {
    String options = variable("rollcall_pam_options");
    assertTrue(
        options.contains(
            "\"rollcall_pam_options\": \"action_generic_failure=ignore start_wait_ms=0\""),
        options);
  }

  @Test
  void nodesThatEnforceHaveNoOptionsOfTheTrial() {
    String options = variable("rollcall_pam_options", "-e", "rollcall_audit_only=false");
    assertTrue(options.contains("\"rollcall_pam_options\": \"\""), options);
  }

  private String variable(String name, String... more) {
    var command =
        new ArrayList<>(
            List.of(
                "ansible",
                "localhost",
                "-i",
                "localhost,",
                "-c",
                "local",
                "-e",
                "@" + ROLE.resolve("defaults/main.yml").toAbsolutePath(),
                "-m",
                "debug",
                "-a",
                "var=" + name));
    command.addAll(List.of(more));
    return ansible(command);
  }

  private String ansible(List<String> command) {
    var environment =
        Map.of(
            "ANSIBLE_HOME", folder.resolve("ansible").toString(),
            "ANSIBLE_LOCAL_TEMP", folder.resolve("ansible/tmp").toString(),
            "ANSIBLE_ROLES_PATH", ROLE.toAbsolutePath().getParent().toString(),
            "ANSIBLE_NOCOLOR", "1",
            "LC_ALL", "C.UTF-8");
    return Command.run(folder, environment, command.toArray(String[]::new)).orThrow(command);
  }
}
