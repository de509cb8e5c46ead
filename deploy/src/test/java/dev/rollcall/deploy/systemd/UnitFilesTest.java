package dev.rollcall.deploy.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnitFilesTest {
  private static final Path UNITS = Path.of("systemd");

  /** Any of these gives a unit its own mount namespace (systemd.exec(5)). */
  private static final Set<String> MOUNTS =
      Set.of(
          "BindPaths",
          "BindReadOnlyPaths",
          "InaccessiblePaths",
          "MountFlags",
          "PrivateDevices",
          "PrivateMounts",
          "PrivateTmp",
          "ProtectControlGroups",
          "ProtectHome",
          "ProtectHostname",
          "ProtectKernelLogs",
          "ProtectKernelModules",
          "ProtectKernelTunables",
          "ProtectProc",
          "ProtectSystem",
          "ReadOnlyPaths",
          "ReadWritePaths",
          "RootDirectory",
          "RootImage",
          "TemporaryFileSystem");

  @TempDir private Path folder = Path.of("");

  // Needs the package systemd, which ./rollcall test installs.
  @Tag("root")
  @ParameterizedTest
  @ValueSource(strings = {"rollcall-agent.service", "rollcall-gateway.service"})
  void systemdFindsNoFault(String unit) throws Exception {
    assertEquals("", verify(unit, Files.readString(UNITS.resolve(unit))));
  }

  /** Shows that the check above can fail. */
  @Tag("root")
  @Test
  void systemdNamesAKeyThatIsNotOne() throws Exception {
    String unit = Files.readString(UNITS.resolve("rollcall-agent.service"));
    String said = verify("broken.service", unit.replace("KillMode=", "KillMood="));
    assertTrue(said.contains("Unknown key 'KillMood'"), said);
  }

  /** What it mounts for bpffs would vanish with it, and every call with that. */
  @Test
  void theAgentStaysInTheNodesMountNamespace() throws IOException {
    var keys = new TreeSet<String>();
    for (String line : Files.readAllLines(UNITS.resolve("rollcall-agent.service"))) {
      keys.add(line.replaceFirst("=.*", ""));
    }
    keys.retainAll(MOUNTS);
    assertEquals(Set.of(), keys);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "KillMode=process",
        "Delegate=yes",
        "OOMScoreAdjust=-999",
        "LimitMEMLOCK=infinity",
        "RuntimeDirectoryPreserve=yes",
        "StateDirectory=rollcall",
        "Restart=always"
      })
  void theAgentsUnitSays(String line) throws IOException {
    List<String> lines = Files.readAllLines(UNITS.resolve("rollcall-agent.service"));
    assertTrue(lines.contains(line), () -> line + " is not in the unit");
  }

  /** Returns what systemd-analyze says: nothing, if all is well. */
  private String verify(String name, String unit) throws IOException, InterruptedException {
    String home = Path.of("target/rollcall").toAbsolutePath().toString();
    Path file = Files.writeString(folder.resolve(name), unit.replace("/opt/rollcall", home));
    Process process =
        new ProcessBuilder("systemd-analyze", "verify", "--man=no", file.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    try (var output = process.inputReader()) {
      String said = output.readAllAsString();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "systemd-analyze did not end");
      return said + (process.exitValue() == 0 ? "" : "exit " + process.exitValue());
    }
  }
}
