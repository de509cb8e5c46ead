package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;

import dev.rollcall.lab.machine.VmNode;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.RunsOn;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packages on this machine's own Debian, with a real systemd, sshd and dpkg in a container: the
 * scenes that are also played in the emulated machine, at the processor's own speed.
 */
@RunsOn(
    system = "Debian 12, a container with systemd",
    kernel = "6.18",
    tests = "packages: installation, logins, upgrade, removal")
@Tag("machine")
@ExtendWith(Packages.Once.class)
class PackagedNodeTest {
  private static final Path HOME = SourceTree.ROOT;
  private static final Duration WITHIN = Duration.ofMinutes(6);

  @TempDir private Path folder = Path.of("");

  @Test
  void debsInstalledUpgradedUnderSessionsAndRemovedWithoutATrace(Packages packages) {
    played("deb", packages.debs(), packages.later().debs());
  }

  /** By Debian's rpm, without what packages depend on, so that the scripts in them run. */
  @Test
  void rpmsInstalledUpgradedUnderSessionsAndRemovedWithoutATrace(Packages packages) {
    played("rpm", packages.rpms(), packages.later().rpms());
  }

  /** The agent is installed without packages. Its first line of defence is off. */
  @Test
  @Tag("full")
  void anAgentThatEndsItselfIsStartedAgainAndRefusesNobody(Packages packages) {
    Path scripts = HOME.resolve("services/lab/src/test/resources/dev/rollcall/lab/machine");
    VmNode.in(folder, HOME.resolve("deploy/target/rollcall"));
    Path java = Path.of(System.getProperty("java.home")).toAbsolutePath();
    try (var node = SystemdContainer.start(List.of(HOME, java, folder))) {
      String before = likeTheMachine(packages.debs(), packages.later().debs(), java);
      node.run(
              WITHIN,
              "bash",
              "-c",
              before + "echo JAVA_HOME=" + java + " >/etc/default/rollcall-agent")
          .outOrThrow("the node by hand");

      String said =
          node.run(
                  WITHIN.multipliedBy(2),
                  "bash",
                  scripts.resolve("unit-ends.sh").toString(),
                  scripts.toString())
              .outOrThrow("unit-ends.sh");

      System.out.print(said);
      assertLinesMatch(
          List.of("ok fills_direct_memory \\d+", "ok holds_an_event_loop \\d+"),
          said.lines().toList());
    }
  }

  private void played(String kind, Path first, Path later) {
    VmNode.in(folder, HOME.resolve("deploy/target/rollcall"));
    Path java = Path.of(System.getProperty("java.home")).toAbsolutePath();
    String script = "services/lab/src/test/resources/dev/rollcall/lab/machine/packages.sh";
    try (var node = SystemdContainer.start(List.of(HOME, java, folder))) {
      String before = likeTheMachine(first, later, java);
      node.run(WITHIN, "bash", "-c", before).outOrThrow("the node by hand");

      String said =
          node.run(
                  WITHIN, "env", "JAVA_HOME=" + java, "bash", HOME.resolve(script).toString(), kind)
              .outOrThrow("packages.sh");

      List<String> played = said.lines().filter(line -> line.matches("(ok|DIFFERS) .*")).toList();
      assertEquals(7, played.size(), said);
      assertEquals(
          List.of(), played.stream().filter(line -> !line.startsWith("ok ")).toList(), said);
    }
  }

  /**
   * Lays out the files that the emulated machine has in its image or lays out at its start.
   * Gateways compile for a short life, and dpkg makes no index of the manual pages: that was half
   * of the CPU time.
   */
  private String likeTheMachine(Path first, Path later, Path java) {
    return """
    set -e
    mkdir -p /srv/rollcall-vm/packages /srv/rollcall-vm/packages-later /root/.ssh /run/sshd
    cp %1$s/* /srv/rollcall-vm/packages/
    cp %5$s/* /srv/rollcall-vm/packages-later/
    cp %2$s/node.sh /srv/rollcall-vm/
    cp %2$s/id_ed25519* %2$s/authorized_keys /root/.ssh/
    rm -rf /opt/rollcall
    cp -r %3$s/deploy/target/rollcall /opt/rollcall
    echo JAVA_HOME=%4$s >/etc/default/rollcall-agent
    printf '#!/bin/sh\\nexit 0\\n' >/usr/sbin/policy-rc.d
    ssh-keygen -A
    ip link set lo up
    systemctl unmask ssh
    systemctl set-environment JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1
    rm -f /var/lib/man-db/auto-update
    JAVA_HOME=%4$s bash /srv/rollcall-vm/node.sh
    rm /etc/default/rollcall-agent
    """
        .formatted(first, folder, HOME, java, later);
  }
}
