package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The role of deploy/ansible, played by the real Ansible against the machines of the quick start
 * and a login node, each behind a router.
 */
@Tag("machine")
@Tag("full")
@ExtendWith(Packages.Once.class)
class AnsibleTest {
  private static final Path ROLE = SourceTree.ROOT.resolve("deploy/ansible");
  private static final Duration PLAY = Duration.ofMinutes(9);

  @TempDir private Path folder = Path.of("");

  @Test
  void installsAuditOnlyFirstAndEnforcesLater(Packages packages) throws Exception {
    certify();
    Path inventory = folder.resolve("inventory.yml");
    Files.writeString(inventory, inventory(packages));
    try (RoutedMachines machines = RoutedMachines.start(folder, packages)) {
      play(machines, inventory);
      SystemdContainer node = machines.machine("n002");
      Result admitted = bob(machines);
      assertTrue(admitted.ok(), admitted::toString);
      assertTrue(
          run(node, "rollcall sessions --user bob --json").contains("\"would\":\"denied\""),
          () -> run(node, "rollcall sessions --user bob --json"));
      assertTrue(run(node, "grep pam_rollcall /etc/pam.d/sshd").contains("=ignore"));

      String again = play(machines, inventory);
      assertEquals(4, again.split("changed=0 ", -1).length - 1, again);

      play(machines, inventory, "-e", "rollcall_audit_only=false");
      Result refused = bob(machines);
      for (int tries = 0; refused.ok() && tries < 40; tries++) {
        refused = bob(machines);
      }
      assertTrue(
          refused
              .err()
              .contains(
                  "Access denied by pam_rollcall on n002: you have no active jobs on this node, or one is still starting."
                      + " Help: https://hpc.example/ssh"),
          refused::toString);
      assertFalse(run(node, "grep pam_rollcall /etc/pam.d/sshd").contains("=ignore"));

      jobsAreFoundAcrossTheRouter(machines);

      var _ = playbook("rollback.yml", machines, inventory);
      assertTrue(bob(machines).ok());
      assertFalse(run(node, "cat /etc/pam.d/sshd").contains("pam_rollcall"));
    }
  }

  /** Two jobs of alice on both nodes, each in a rack of its own. */
  private static void jobsAreFoundAcrossTheRouter(RoutedMachines machines) {
    SystemdContainer first = machines.machine("n001");
    for (String job : List.of("41", "42")) {
      run(first, "rollcall job begin " + job + " --user alice");
      run(machines.machine("n002"), "rollcall job begin " + job + " --user alice");
    }
    for (String job : List.of("41", "42")) {
      String place =
          run(first, "rollcall job run --job " + job + " -- ssh n002 cat /proc/self/cgroup");
      assertTrue(place.contains("/job_" + job + "/step_extern/"), place);
    }
    for (String job : List.of("41", "42")) {
      run(first, "rollcall job end " + job);
      run(machines.machine("n002"), "rollcall job end " + job);
    }
  }

  private static Result bob(RoutedMachines machines) {
    return machines
        .machine("n001")
        .run(
            RoutedMachines.WITHIN,
            "runuser",
            "-u",
            "bob",
            "--",
            "ssh",
            "-o",
            "LogLevel=INFO",
            "n002",
            "sleep 0.5");
  }

  private static String run(SystemdContainer machine, String command) {
    return machine.run(RoutedMachines.WITHIN, "bash", "-lc", command).outOrThrow(command);
  }

  /** By the command of the source tree, as an administrator would on a third machine. */
  private void certify() {
    Path rollcall = SourceTree.ROOT.resolve("deploy/target/rollcall/bin/rollcall");
    String ca = folder.resolve("ca").toString();
    Command.say(rollcall.toString(), "ca", "init", "--cluster", "alps", "--directory", ca);
    issue(rollcall, ca, "gateway", "gate1", "10.20.0.11");
    issue(rollcall, ca, "node", "n001", "10.20.1.1");
    issue(rollcall, ca, "node", "n002", "10.20.1.2");
    issue(rollcall, ca, "login", "login1", "10.20.3.1");
  }

  private void issue(Path rollcall, String ca, String role, String name, String address) {
    Command.say(
        rollcall.toString(),
        "ca",
        "issue",
        role,
        name,
        "--address",
        address,
        "--directory",
        ca,
        "--out",
        folder.resolve("tls/" + name).toString());
  }

  private String inventory(Packages packages) {
    return """
    all:
      vars:
        ansible_user: root
        ansible_ssh_private_key_file: %1$s/id_ed25519
        ansible_ssh_common_args: "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
        rollcall_packages: %2$s
        rollcall_certificates: %1$s/tls
        rollcall_cluster: alps
        rollcall_gateways: ["10.20.0.11:7450"]
        rollcall_agent_keys: {denied_help: "https://hpc.example/ssh"}
      children:
        gateways:
          hosts:
            gate1: {ansible_host: 10.20.0.11, rollcall_listen: "10.20.0.11:7450"}
        nodes:
          hosts:
            n001: {ansible_host: 10.20.1.1}
            n002: {ansible_host: 10.20.1.2}
        logins:
          hosts:
            login1: {ansible_host: 10.20.3.1}
    """
        .formatted(folder, packages.debs());
  }

  /** From within the machines' network, which this machine is not in. */
  private String play(RoutedMachines machines, Path inventory, String... more) {
    return playbook("site.yml", machines, inventory, more);
  }

  private String playbook(
      String playbook, RoutedMachines machines, Path inventory, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--net=/proc/" + machines.machine("gate1").init() + "/ns/net",
                "--",
                "env",
                "ANSIBLE_HOME=" + folder.resolve("ansible"),
                "ANSIBLE_LOCAL_TEMP=" + folder.resolve("ansible/tmp"),
                "ANSIBLE_NOCOLOR=1",
                "ANSIBLE_PIPELINING=1",
                "LC_ALL=C.UTF-8",
                "ansible-playbook",
                "-i",
                inventory.toString()));
    command.addAll(List.of(more));
    command.add(ROLE.resolve(playbook).toString());
    Result result = Running.run(PLAY, command);
    assertTrue(result.ok(), result::toString);
    return result.out();
  }
}
