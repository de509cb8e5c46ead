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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
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

  /** A node each, in one play: what costs is the start of Ansible. */
  private static final List<Check> CHECKS =
      List.of(
          new Check("good pam.account", true),
          new Check("bad gateway.connection", false),
          new Check("bad pam.session", true),
          new Check("bad sshd.usepam", true),
          new Check("warning pam.account.before", true),
          new Check("bad pam.slurm_adopt", true),
          new Check("bad pam.slurm_adopt", false),
          new Check("exit 127", true));

  @TempDir private static Path folder = Path.of("");

  /** What Ansible said of all nodes. */
  private static String checked = "";

  /** The role's check, with a doctor that has this finding. */
  private record Check(String finding, boolean auditOnly) {
    String node() {
      return "n" + CHECKS.indexOf(this);
    }

    /** Its line of the inventory, where {@code true} is text, too. */
    String line() {
      return "%s bin=%s rollcall_audit_only=%s\n"
          .formatted(node(), folder.resolve(node()), auditOnly);
    }

    void writeDoctor() throws IOException {
      String[] words = finding.split(" ", 2);
      Path doctor = Files.createDirectory(folder.resolve(node())).resolve("rollcall");
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
    }
  }

  @BeforeAll
  static void checkAll() throws IOException {
    var inventory = new StringBuilder();
    for (Check check : CHECKS) {
      check.writeDoctor();
      inventory.append(check.line());
    }
    Path nodes = Files.writeString(folder.resolve("nodes"), inventory);
    Path play =
        Files.writeString(
            folder.resolve("play.yml"),
            """
            - hosts: all
              gather_facts: false
              environment: {PATH: "{{ bin }}:{{ lookup('env', 'PATH') }}"}
              tasks:
                - ansible.builtin.include_role: {name: rollcall, tasks_from: pam_check}
            """);
    Command.Ran ran =
        run(List.of("ansible-playbook", "-i", nodes.toString(), "-c", "local", play.toString()));
    assertEquals(2, ran.status(), ran.said());
    checked = ran.said();
  }

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
  void aGoodStackIsAccepted() {
    assertEquals(0, check("good pam.account", true).status());
  }

  /** An agent that is not connected yet is no matter of the stack. */
  @Test
  void badFindingsOfOtherPartsAreOnlyShown() {
    Command.Ran ran = check("bad gateway.connection", false);
    assertEquals(0, ran.status(), ran.said());
    assertTrue(ran.said().contains("bad gateway.connection: says -> remedy"), ran.said());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad pam.session", "bad sshd.usepam", "warning pam.account.before"})
  void aWrongStackStopsThePlay(String finding) {
    Command.Ran ran = check(finding, true);
    assertEquals(2, ran.status(), ran.said());
    assertTrue(ran.said().contains(finding + ": says -> remedy"), ran.said());
  }

  @Test
  void slurmsModuleMayBeBesideInAuditOnlyModeAndIsShown() {
    Command.Ran ran = check("bad pam.slurm_adopt", true);
    assertEquals(0, ran.status(), ran.said());
    assertTrue(ran.said().contains("bad pam.slurm_adopt"), ran.said());
    assertEquals(2, check("bad pam.slurm_adopt", false).status());
  }

  @Test
  void aDoctorThatDoesNotRunStopsThePlay() {
    assertEquals(2, check("exit 127", true).status());
  }

  /** What came of it: 2 is a play that has stopped. */
  private static Command.Ran check(String finding, boolean auditOnly) {
    String node = new Check(finding, auditOnly).node();
    Matcher end =
        Pattern.compile("(?m)^" + node + " +: .* unreachable=0 +failed=([01]) ").matcher(checked);
    assertTrue(end.find(), checked);
    String said =
        Pattern.compile("(?ms)^[a-z]+: \\[" + node + "].*?(?=^[a-z]+: \\[|^$)")
            .matcher(checked)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining());
    return new Command.Ran(end.group(1).equals("1") ? 2 : 0, said);
  }

  @Test
  void thePlaybooksAreWellFormed() {
    Command.Ran ran =
        run(
            List.of(
                "ansible-playbook",
                "--syntax-check",
                "-i",
                ROLE.resolve("../../inventory.example.yml").toAbsolutePath().toString(),
                ROLE.resolve("../../site.yml").toAbsolutePath().toString(),
                ROLE.resolve("../../rollback.yml").toAbsolutePath().toString()));
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

  private static Command.Ran run(List<String> command) {
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
            "LC_ALL",
            "C.UTF-8");
    return Command.run(folder, environment, command.toArray(String[]::new));
  }
}
