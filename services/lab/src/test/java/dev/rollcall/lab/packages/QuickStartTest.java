package dev.rollcall.lab.packages;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types every command of docs/quick-start.md, in its order, into three machines with systemd, sshd
 * and dpkg on a network of their own, and compares what the page shows of the answers.
 */
@Tag("machine")
@ExtendWith(Packages.Once.class)
class QuickStartTest {
  private static final Path PAGE = SourceTree.ROOT.resolve("docs/quick-start.md");
  private static final Duration WITHIN = Duration.ofMinutes(3);
  private static final Map<String, String> ADDRESSES =
      Map.of("gate1", "10.20.0.11/16", "n001", "10.20.1.1/16", "n002", "10.20.1.2/16");

  @TempDir private Path folder = Path.of("");

  @Test
  void everyCommandDoesWhatThePageShows(Packages packages) throws Exception {
    List<Typed> commands = Typed.in(PAGE);
    assertTrue(commands.size() > 20, () -> "too few: " + commands);
    Path key = key();
    var machines = new LinkedHashMap<String, SystemdContainer>();
    try {
      for (String name : List.of("gate1", "n001", "n002")) {
        SystemdContainer machine = SystemdContainer.start(List.of(folder, packages.debs()));
        machines.put(name, machine);
        machine.run(WITHIN, "bash", "-c", asBought(name, key, packages)).outOrThrow(name);
      }
      join(machines);
      for (Typed typed : commands) {
        for (String name : typed.machines()) {
          type(typed, name, machines);
        }
      }
    } finally {
      machines.values().forEach(SystemdContainer::close);
    }
  }

  private static void type(Typed typed, String name, Map<String, SystemdContainer> machines) {
    SystemdContainer machine =
        requireNonNull(machines.get(name), () -> "no such machine: " + typed);
    Result result = machine.run(WITHIN, "bash", "-lc", "cd /root; exec 2>&1; " + typed.command());
    System.out.println(name + "# " + typed.command() + "\n" + result.out());
    assertEquals(
        0, result.exit(), () -> name + ": " + typed + "\n" + result.out() + journal(machine));
    assertEquals(List.of(), typed.missing(result.out()), () -> typed + " says\n" + result.out());
  }

  private static String journal(SystemdContainer machine) {
    return machine
        .run(WITHIN, "journalctl", "-q", "--no-pager", "-n", "30", "-u", "rollcall-*")
        .out();
  }

  private Path key() {
    Path key = folder.resolve("id_ed25519");
    Command.say("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
    return key;
  }

  /** What the reader of the page has: names, users, sshd, keys between the machines. */
  private String asBought(String name, Path key, Packages packages) {
    return """
    set -e
    hostname %1$s
    echo %1$s >/etc/hostname
    printf '127.0.0.1 localhost\\n10.20.0.11 gate1\\n10.20.1.1 n001\\n10.20.1.2 n002\\n' >/etc/hosts
    printf '#!/bin/sh\\nexit 0\\n' >/usr/sbin/policy-rc.d
    mkdir -p /run/sshd /root/rollcall /root/.ssh
    cp %3$s/*.deb /root/rollcall/
    ssh-keygen -A >/dev/null
    for one in alice:2001 bob:2002; do
      id ${one%%:*} >/dev/null 2>&1 || useradd -m -u ${one#*:} -s /bin/bash ${one%%:*}
      install -d -m 700 -o ${one%%:*} /home/${one%%:*}/.ssh
      install -m 600 -o ${one%%:*} %2$s /home/${one%%:*}/.ssh/id_ed25519
      install -m 600 -o ${one%%:*} %2$s.pub /home/${one%%:*}/.ssh/authorized_keys
    done
    install -m 600 %2$s /root/.ssh/id_ed25519
    install -m 600 %2$s.pub /root/.ssh/authorized_keys
    printf 'Host *\\nStrictHostKeyChecking no\\nUserKnownHostsFile /dev/null\\nLogLevel ERROR\\n' >/etc/ssh/ssh_config.d/quick.conf
    rm -f /etc/ssh/sshd_config.d/*
    sed -i '/pam_rollcall/d' /etc/pam.d/sshd
    systemctl unmask ssh
    systemctl start ssh
    """
        .formatted(name, key, packages.debs());
  }

  /** A bridge in the first one's network namespace; nothing of it is in this machine's. */
  private static void join(Map<String, SystemdContainer> machines) {
    long first = requireNonNull(machines.get("gate1")).init();
    in(first, "ip", "link", "add", "br0", "type", "bridge");
    in(first, "ip", "addr", "add", address("gate1"), "dev", "br0");
    in(first, "ip", "link", "set", "br0", "up");
    for (String name : List.of("n001", "n002")) {
      long other = requireNonNull(machines.get(name)).init();
      in(
          first,
          "ip",
          "link",
          "add",
          name,
          "type",
          "veth",
          "peer",
          "name",
          "eth0",
          "netns",
          Long.toString(other));
      in(first, "ip", "link", "set", name, "master", "br0", "up");
      in(other, "ip", "addr", "add", address(name), "dev", "eth0");
      in(other, "ip", "link", "set", "eth0", "up");
    }
  }

  private static String address(String name) {
    return requireNonNull(ADDRESSES.get(name), name);
  }

  private static void in(long process, String... command) {
    List<String> argv =
        new ArrayList<>(List.of("nsenter", "--net=/proc/" + process + "/ns/net", "--"));
    argv.addAll(List.of(command));
    Running.run(WITHIN, argv).outOrThrow(String.join(" ", command));
  }
}
