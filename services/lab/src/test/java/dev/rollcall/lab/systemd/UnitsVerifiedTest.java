package dev.rollcall.lab.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tagged root because systemd's package is installed for {@code ./rollcall test} alone. */
@Tag("root")
class UnitsVerifiedTest {
  private static final String INSTALLED = "/opt/rollcall/bin/rollcall";
  private static final Path LAUNCHER =
      SourceTree.DISTRIBUTION.resolve("bin/rollcall").toAbsolutePath();

  private record Verdict(int status, String said) {}

  @TempDir Path units = Path.of("unset");

  /** Copies the units; what is installed by then is the launcher of the distribution. */
  @BeforeEach
  void copy() throws IOException {
    assertTrue(Files.isExecutable(LAUNCHER), LAUNCHER.toString());
    try (var files = Files.list(UnitFile.FOLDER)) {
      for (Path file : files.toList()) {
        Files.writeString(
            units.resolve(file.getFileName()),
            Files.readString(file).replace(INSTALLED, LAUNCHER.toString()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rollcall-agent.service", "rollcall-gateway.service", "rollcall.slice"})
  void systemdTakesTheUnitWithoutAWord(String unit) throws Exception {
    assertEquals(new Verdict(0, ""), run("verify", "--man=no", units.resolve(unit).toString()));
  }

  @Test
  void systemdNamesASettingThatItDoesNotKnow() throws Exception {
    Path unit = units.resolve("rollcall-agent.service");
    Files.writeString(unit, Files.readString(unit).replace("KillMode=", "KilMode="));

    Verdict verdict = run("verify", "--man=no", unit.toString());

    assertTrue(verdict.said().contains("KilMode"), verdict.said());
  }

  @Test
  void systemdMissesAProgramThatIsNotThere() throws Exception {
    Path unit = units.resolve("rollcall-agent.service");
    Files.writeString(unit, Files.readString(unit).replace(LAUNCHER.toString(), "/nowhere/run"));

    assertNotEquals(0, run("verify", "--man=no", unit.toString()).status());
  }

  /**
   * As systemd weighs them: 0 is closed, 10 is open. The agent is a root process by its nature, and
   * makes namespaces of all kinds.
   */
  @ParameterizedTest
  @ValueSource(strings = {"rollcall-agent.service:65", "rollcall-gateway.service:20"})
  void exposureStaysBelowItsBound(String unitAndBound) throws Exception {
    String[] words = unitAndBound.split(":", -1);

    Verdict verdict =
        run(
            "security",
            "--offline=yes",
            "--no-pager",
            "--threshold=" + words[1],
            units.resolve(words[0]).toString());

    assertEquals(0, verdict.status(), verdict.said());
  }

  private Verdict run(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("systemd-analyze"));
    command.addAll(List.of(arguments));
    Path said = units.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(command + " does not end: " + Files.readString(said));
    }
    return new Verdict(process.exitValue(), Files.readString(said).strip());
  }
}
