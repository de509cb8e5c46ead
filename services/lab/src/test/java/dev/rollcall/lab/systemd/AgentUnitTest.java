package dev.rollcall.lab.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentUnitTest {
  private UnitFile unit = new UnitFile(Map.of());

  @BeforeEach
  void read() throws IOException {
    unit = UnitFile.read("rollcall-agent.service");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Service.Type                     | notify
          Service.KillMode                 | process
          Service.Delegate                 | yes
          Service.OOMScoreAdjust           | -999
          Service.LimitMEMLOCK             | infinity
          Service.RuntimeDirectory         | rollcall
          Service.RuntimeDirectoryPreserve | yes
          Service.RuntimeDirectoryMode     | 0755
          Service.StateDirectory           | rollcall
          Service.Slice                    | rollcall.slice
          Service.Restart                  | always
          Unit.StartLimitIntervalSec       | 0
          """)
  void outlivesWhatHappensOnAComputeNode(String setting, String value) {
    assertEquals(value, unit.of(setting));
  }

  @Test
  void startsWhenTheNetworkAndTheSystemBusAreThere() {
    for (String awaited : List.of("network-online.target", "dbus.socket")) {
      assertTrue(unit.words("Unit.After").contains(awaited), awaited);
      assertTrue(unit.words("Unit.Wants").contains(awaited), awaited);
    }
  }

  @Test
  void stopsTryingOnlyWhereTryingAgainIsNoUse() {
    // EX_USAGE and EX_CONFIG of sysexits.h, which the agent ends with.
    assertEquals(List.of("64", "78"), unit.words("Service.RestartPreventExitStatus"));
  }

  @Test
  void hasFourteenCapabilities() {
    assertEquals(
        Set.of(
            "CAP_CHOWN",
            "CAP_DAC_OVERRIDE",
            "CAP_FOWNER",
            "CAP_KILL",
            "CAP_NET_ADMIN",
            "CAP_SETFCAP",
            "CAP_SETGID",
            "CAP_SETPCAP",
            "CAP_SETUID",
            "CAP_SYS_ADMIN",
            "CAP_SYS_CHROOT",
            "CAP_SYS_NICE",
            "CAP_SYS_PTRACE",
            "CAP_SYS_RESOURCE"),
        Set.copyOf(unit.words("Service.CapabilityBoundingSet")));
    assertEquals("yes", unit.of("Service.NoNewPrivileges"));
  }

  @Test
  void saysOfEachCapabilityWhatForItIs() throws IOException {
    String file = Files.readString(UnitFile.FOLDER.resolve("rollcall-agent.service"));

    for (String capability : unit.words("Service.CapabilityBoundingSet")) {
      assertTrue(file.contains("#   " + capability + " "), capability);
    }
  }

  /** systemd.exec(5): these give the unit a mount namespace, which ends with it. */
  @Test
  void staysInTheNodesMountNamespace() {
    var namespaced = new TreeSet<String>();
    for (String setting : unit.settings().keySet()) {
      if (setting.matches(
          "Service\\.(Protect(System|Home|Kernel\\w+|ControlGroups|Proc)|Private\\w+|ProcSubset"
              + "|(ReadOnly|ReadWrite|Inaccessible|Exec|NoExec)Paths|Bind\\w*Paths|TemporaryFileSystem"
              + "|Root\\w+|DynamicUser|MountFlags|MemoryDenyWriteExecute)")) {
        namespaced.add(setting);
      }
    }

    assertEquals(Set.of(), namespaced);
  }

  @Test
  void mayMakeAndEnterTheNamespacesOfContainers() {
    assertEquals(
        Set.of("cgroup", "ipc", "mnt", "net", "pid", "user", "uts"),
        Set.copyOf(unit.words("Service.RestrictNamespaces")));
    assertTrue(unit.words("Service.RestrictAddressFamilies").contains("AF_NETLINK"));
  }

  /** systemd's filter for RestrictSUIDSGID answers openat2(2) with ENOSYS (seccomp-util.c). */
  @Test
  void keepsOpenat2WhichRemovesWhatJobsLeft() {
    assertFalse(unit.settings().containsKey("Service.RestrictSUIDSGID"));
  }

  @Test
  void theSystemCallsItNeedsAreNotInTheGroupsItIsDenied() {
    // bpf, mount, setns, unshare, fchown, setpriority and pidfd_* are in none of these. They would
    // be in @privileged, @mount, @chown and @resources.
    assertEquals(
        List.of(
            "~@clock",
            "@cpu-emulation",
            "@debug",
            "@module",
            "@obsolete",
            "@raw-io",
            "@reboot",
            "@swap"),
        unit.words("Service.SystemCallFilter"));
  }

  @Test
  void isWeighedInASliceBesideTheJobs() throws IOException {
    UnitFile slice = UnitFile.read("rollcall.slice");

    assertEquals(unit.of("Service.CPUWeight"), slice.of("Slice.CPUWeight"));
    assertEquals(unit.of("Service.MemoryMin"), slice.of("Slice.MemoryMin"));
  }
}
