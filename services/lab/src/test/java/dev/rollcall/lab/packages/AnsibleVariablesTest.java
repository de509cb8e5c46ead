package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Variables of the role of deploy/ansible, and its check of the PAM stack, as the real Ansible
 * evaluates them. {@code -e} on the command line passes strings: {@code false} is then the text
 * "false".
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

  @Test
  void aGoodStackIsAccepted() throws IOException {
    assertEquals(0, check("good pam.account", true).status());
  }

  /** An agent that is not connected yet is no matter of the stack. */
  @Test
  void badFindingsOfOtherPartsAreOnlyShown() throws IOException {
    Command.Ran ran = check("bad gateway.connection", false);
    assertEquals(0, ran.status(), ran.said());
    assertTrue(ran.said().contains("bad gateway.connection: says -> remedy"), ran.said());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad pam.session", "bad sshd.usepam", "warning pam.account.before"})
  void aWrongStackStopsThePlay(String finding) throws IOException {
    Command.Ran ran = check(finding, true);
    assertEquals(2, ran.status(), ran.said());
    assertTrue(ran.said().contains(finding + ": says -> remedy"), ran.said());
  }

  @Test
  void slurmsModuleMayBeBesideInAuditOnlyModeAndIsShown() throws IOException {
    Command.Ran ran = check("bad pam.slurm_adopt", true);
    assertEquals(0, ran.status(), ran.said());
    assertTrue(ran.said().contains("bad pam.slurm_adopt"), ran.said());
    assertEquals(2, check("bad pam.slurm_adopt", false).status());
  }

  @Test
  void aDoctorThatDoesNotRunStopsThePlay() throws IOException {
    assertEquals(2, check("exit 127", true).status());
  }

  /** The role's check, with a doctor that has this finding. */
  private Command.Ran check(String finding, boolean auditOnly) throws IOException {
    String[] words = finding.split(" ", 2);
    Path doctor = Files.createDirectories(folder.resolve("bin")).resolve("rollcall");
    Files.writeString(
        doctor,
        words[0].equals("exit")
            ? "#!/bin/sh\n" + finding + "\n"
            : """
            #!/bin/sh
            echo '[{"id":"%s","state":"%s","says":"says","remedy":"remedy"}]'
            [ %2$s != bad ]
            """
                .formatted(words[1], words[0]));
    Files.setPosixFilePermissions(doctor, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path play =
        Files.writeString(
            folder.resolve("play.yml"),
            """
            - hosts: localhost
              gather_facts: false
              tasks:
                - ansible.builtin.include_role: {name: rollcall, tasks_from: pam_check}
            """);
    return run(
        List.of(
            "ansible-playbook",
            "-i",
            "localhost,",
            "-c",
            "local",
            "-e",
            "rollcall_audit_only=" + auditOnly,
            play.toString()));
  }

  @Test
  void thePlaybookIsWellFormed() {
    Command.Ran ran =
        run(
            List.of(
                "ansible-playbook",
                "--syntax-check",
                "-i",
                ROLE.resolve("../../inventory.example.yml").toAbsolutePath().toString(),
                ROLE.resolve("../../site.yml").toAbsolutePath().toString()));
    assertEquals(0, ran.status(), ran.said());
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
    return run(command).orThrow(command);
  }

  private Command.Ran run(List<String> command) {
    var environment =
        Map.of(
            "ANSIBLE_HOME",
            folder.resolve("ansible").toString(),
            "ANSIBLE_LOCAL_TEMP",
            folder.resolve("ansible/tmp").toString(),
            "ANSIBLE_ROLES_PATH",
            ROLE.toAbsolutePath().getParent().toString(),
            "ANSIBLE_NOCOLOR",
            "1",
            "PATH",
            folder.resolve("bin") + ":" + System.getenv("PATH"),
            "LC_ALL",
            "C.UTF-8");
    return Command.run(folder, environment, command.toArray(String[]::new));
  }
}
