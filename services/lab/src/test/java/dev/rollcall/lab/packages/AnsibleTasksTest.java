package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The role of deploy/ansible changes files of a site, and undoes its changes, by the real Ansible
 * on copies of them. Programs of the site only note how they were called.
 */
@Tag("root") // the tier that installs Ansible
class AnsibleTasksTest {
  private static final Path ROLES = SourceTree.DEPLOY.resolve("ansible/roles");

  private static final String ADOPT = "account    required     pam_slurm_adopt.so";

  private static final String STACK =
      """
      account    required     pam_nologin.so
      @include common-account
      %s
      @include common-session
      """
          .formatted(ADOPT);

  private static final String JUMPS =
      STACK + "session    [success=1 default=ignore] pam_succeed_if.so user ingroup admins\n";

  private static final String HOOKS =
      "Prolog=/usr/lib/rollcall/lib/slurm/prolog\nEpilog=/usr/lib/rollcall/lib/slurm/epilog\n";

  @TempDir private static Path folder = Path.of("");

  private static String said = "";

  /** All in one play: what costs is the start of Ansible. */
  @BeforeAll
  static void play() throws IOException {
    for (String program : List.of("scontrol", "firewall-cmd")) {
      program(program, "echo \"${0##*/} $*\" >>%s/calls".formatted(folder));
    }
    program("rollcall", "echo '[]'");
    String hosts =
        host("trial", "pam", "pam.d", STACK, "rollcall_audit_only=true")
            + host("enforced", "pam", "pam.d", STACK, "rollcall_audit_only=false")
            + host("back", "pam,rollback", "pam.d", STACK, "rollcall_audit_only=false")
            + host("jumps", "pam,rollback", "pam.d", JUMPS, "rollcall_audit_only=false")
            + host("hooks", "slurm,slurm", "slurm.conf", "ClusterName=alps\n", "")
            + host("own", "slurm", "slurm.conf", "prolog = /site/prolog\n", "")
            + host("gate", "firewalld", "none", "", "rollcall_listen=[fd20::11]:7450");
    Path inventory = Files.writeString(folder.resolve("hosts"), hosts);
    Path play =
        Files.writeString(
            folder.resolve("play.yml"),
            """
            - hosts: all
              gather_facts: false
              environment: {PATH: "%1$s:{{ lookup('env', 'PATH') }}"}
              vars:
                rollcall_pam_file: "%1$s/pam.d.{{ inventory_hostname }}"
                rollcall_slurm_conf: "%1$s/slurm.conf.{{ inventory_hostname }}"
                rollcall_slurm_adopt: "%2$s"
              tasks:
                - ansible.builtin.include_role: {name: rollcall, tasks_from: "{{ item }}"}
                  loop: "{{ steps.split(',') }}"
            """
                .formatted(folder, ADOPT));
    Command.Ran ran =
        Command.run(
            folder,
            Map.of(
                "ANSIBLE_HOME", folder.resolve("ansible").toString(),
                "ANSIBLE_LOCAL_TEMP", folder.resolve("ansible/tmp").toString(),
                "ANSIBLE_ROLES_PATH", ROLES.toAbsolutePath().toString(),
                "ANSIBLE_NOCOLOR", "1",
                "LC_ALL", "C.UTF-8"),
            "ansible-playbook",
            "-i",
            inventory.toString(),
            "-c",
            "local",
            play.toString());
    said = ran.said();
    assertEquals(2, ran.status(), said); // own fails
  }

  private static void program(String name, String script) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String host(String name, String steps, String file, String text, String vars)
      throws IOException {
    Files.writeString(folder.resolve(file + "." + name), text);
    return "%s steps=%s %s\n".formatted(name, steps, vars);
  }

  private static String file(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private static void held(String host) {
    assertTrue(
        java.util.regex.Pattern.compile("(?m)^" + host + " +: .* unreachable=0 +failed=0 ")
            .matcher(said)
            .find(),
        said);
  }

  @Test
  void inAuditOnlyModeTheOtherModuleStillDecides() throws IOException {
    held("trial");
    assertEquals(
        STACK.replace(
                ADOPT,
                "account    required     pam_rollcall.so action_generic_failure=ignore"
                    + " start_wait_ms=0\n"
                    + ADOPT)
            + "session    required     pam_rollcall.so action_generic_failure=ignore"
            + " start_wait_ms=0\n",
        file("pam.d.trial"));
  }

  @Test
  void enforcingRemovesTheOtherModule() throws IOException {
    held("enforced");
    assertEquals(
        STACK.replace(ADOPT, "account    required     pam_rollcall.so")
            + "session    required     pam_rollcall.so\n",
        file("pam.d.enforced"));
  }

  @Test
  void rollingBackLeavesTheStackAsItWas() throws IOException {
    held("back");
    assertEquals(STACK, file("pam.d.back"));
  }

  @Test
  void rollingBackKeepsTheTargetsOfJumps() throws IOException {
    held("jumps");
    assertEquals(
        JUMPS.replace(ADOPT, ADOPT + "\naccount    optional     pam_permit.so")
            + "session    optional     pam_permit.so\n",
        file("pam.d.jumps"));
  }

  @Test
  void theHooksAreWrittenOnceAndSlurmReadsThem() throws IOException {
    held("hooks");
    assertEquals("ClusterName=alps\n" + HOOKS, file("slurm.conf.hooks"));
    assertEquals(
        1, file("calls").lines().filter("scontrol reconfigure"::equals).count(), file("calls"));
  }

  @Test
  void aPrologOfTheSiteIsLeftAndNamed() throws IOException {
    assertEquals("prolog = /site/prolog\n", file("slurm.conf.own"));
    assertTrue(said.contains("slurm.conf.own has prolog = /site/prolog, which this role"), said);
  }

  @Test
  void firewalldOpensThePortNowAndAfterAReload() throws IOException {
    held("gate");
    assertEquals(
        List.of(
            "firewall-cmd --add-port=7450/tcp",
            "firewall-cmd --permanent --add-port=7450/tcp",
            "firewall-cmd --state"),
        file("calls").lines().filter(line -> line.startsWith("firewall")).sorted().toList());
  }
}
