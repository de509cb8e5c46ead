package dev.rollcall.lab.packages;

import static java.util.Objects.requireNonNull;

import dev.rollcall.testkit.process.Running;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machines of docs/quick-start.md, as its reader has them: systemd, sshd and dpkg, on a network
 * of their own. Rollcall is not installed.
 */
final class ThreeMachines implements AutoCloseable {
  static final Duration WITHIN = Duration.ofMinutes(3);
  private static final Map<String, String> ADDRESSES =
      Map.of("gate1", "10.20.0.11/16", "n001", "10.20.1.1/16", "n002", "10.20.1.2/16");

  private final Map<String, SystemdContainer> machines = new LinkedHashMap<>();
  private final Path folder;
  private final Packages packages;

  /**
   * @param folder for the key of root, alice and bob, which all machines accept
   */
  static ThreeMachines start(Path folder, Packages packages) throws Exception {
    var three = new ThreeMachines(folder, packages);
    try {
      three.start();
      return three;
    } catch (Exception | Error e) {
      three.close();
      throw e;
    }
  }

  private ThreeMachines(Path folder, Packages packages) {
    this.folder = folder;
    this.packages = packages;
  }

  private void start() throws Exception {
    Path key = key();
    for (String name : List.of("gate1", "n001", "n002")) {
      SystemdContainer machine = SystemdContainer.start(List.of(folder, packages.debs()));
      machines.put(name, machine);
      machine.run(WITHIN, "bash", "-c", asBought(name, key, packages)).outOrThrow(name);
    }
    join(machines);
  }

  SystemdContainer machine(String name) {
    return requireNonNull(machines.get(name), () -> "no such machine: " + name);
  }

  @Override
  public void close() {
    machines.values().forEach(SystemdContainer::close);
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
