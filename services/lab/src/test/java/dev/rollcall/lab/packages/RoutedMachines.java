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
 * The machines of docs/quick-start.md, and a login node, as a reader has them: systemd, sshd and
 * dpkg. Each is in a rack of its own, behind the router that gate1 is. Rollcall is not installed.
 */
final class RoutedMachines implements AutoCloseable {
  static final Duration WITHIN = Duration.ofMinutes(3);
  private static final String GATE = "gate1";
  private static final List<String> BEHIND = List.of("n001", "n002", "login1");
  private static final Map<String, String> ADDRESSES =
      Map.of(GATE, "10.20.0.11", "n001", "10.20.1.1", "n002", "10.20.1.2", "login1", "10.20.3.1");

  private final Map<String, SystemdContainer> machines = new LinkedHashMap<>();
  private final Path folder;
  private final Packages packages;

  /**
   * @param folder for the key of root, alice and bob, which all machines accept
   */
  static RoutedMachines start(Path folder, Packages packages) throws Exception {
    var all = new RoutedMachines(folder, packages);
    try {
      all.start();
      return all;
    } catch (Exception | Error e) {
      all.close();
      throw e;
    }
  }

  private RoutedMachines(Path folder, Packages packages) {
    this.folder = folder;
    this.packages = packages;
  }

  private void start() throws Exception {
    Path key = key();
    for (String name : ADDRESSES.keySet()) {
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
    printf '127.0.0.1 localhost\\n10.20.0.11 gate1\\n10.20.1.1 n001\\n10.20.1.2 n002\\n10.20.3.1 login1\\n' >/etc/hosts
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

  /** Nothing of it is in this machine's network namespace. */
  private static void join(Map<String, SystemdContainer> machines) {
    long gate = requireNonNull(machines.get(GATE)).init();
    in(gate, "ip", "link", "add", "br0", "type", "bridge");
    in(gate, "ip", "addr", "add", address(GATE) + "/32", "dev", "br0");
    in(gate, "ip", "link", "set", "br0", "up");
    in(gate, "sysctl", "-q", "-w", "net.ipv4.ip_forward=1");
    for (String name : BEHIND) {
      long other = requireNonNull(machines.get(name)).init();
      String there = Long.toString(other);
      in(gate, "ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", there);
      in(gate, "ip", "link", "set", name, "up");
      in(gate, "ip", "route", "add", address(name), "dev", name);
      in(other, "ip", "addr", "add", address(name) + "/32", "dev", "eth0");
      in(other, "ip", "link", "set", "eth0", "up");
      in(other, "ip", "route", "add", address(GATE), "dev", "eth0");
      in(other, "ip", "route", "add", "default", "via", address(GATE));
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
