package dev.rollcall.deploy.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code --slurm VERSION} of the source tree's launcher, on a system with Slurm 22.05. The script
 * that makes roots, the build and the demo are stand-ins, which print their words.
 */
@Tag("root")
class SlurmVersionTest {
  @TempDir private Path folder = Path.of("");
  private Script script = new Script(folder);
  private String jdk = "";

  @BeforeEach
  void prepare() throws IOException {
    script = new Script(folder);
    for (String part : List.of("rollcall", "services/lab/slurm.sh")) {
      Files.createDirectories(folder.resolve(part).getParent());
      Files.copy(
          Path.of("..").resolve(part), folder.resolve(part), StandardCopyOption.COPY_ATTRIBUTES);
    }
    executable("services/lab/debian-root.sh", "echo \"root: $*\"");
    executable("jdk/bin/javac", "true");
    executable("jdk/bin/java", "echo \"java: $*\"");
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
    jdk = folder.resolve("jdk").toString();
    executable("deploy/target/rollcall/bin/rollcall", "true");
    Files.writeString(folder.resolve("deploy/target/built"), "");
    script.fake(
        "dpkg-query",
        """
        case $* in
          *Version*) printf 'installed 22.05.8-4+deb12u2' ;;
          *) printf installed ;;
        esac\
        """);
  }

  private void executable(String name, String body) throws IOException {
    Path made = script.fake("made", body).folder().resolve("bin/made");
    Files.createDirectories(folder.resolve(name).getParent());
    Files.move(made, folder.resolve(name));
  }

  @ParameterizedTest
  @CsvSource({"24.11,trixie", "26.05,sid"})
  void anotherVersionRunsInARootOfItsDebian(String version, String release) throws Exception {
    String command = "demo --once --slurm " + version + " --gateways 3";
    Script.Ran ran = script.run(jdk, "ROLLCALL_COMMIT=c0ffee ./rollcall " + command);
    assertEquals(
        "root: %s %s env ROLLCALL_ROOT_OF=%s ROLLCALL_COMMIT=c0ffee ./rollcall %s\n"
            .formatted(release, folder, release, command),
        ran.said());
    assertEquals(0, ran.status());
  }

  @ParameterizedTest
  @CsvSource({
    "test,services/lab/target/tests",
    "bench,load-tests/target/bench",
  })
  void resultsOutliveTheRoot(String command, String results) throws Exception {
    Script.Ran ran =
        script.run(jdk, "ROLLCALL_COMMIT=c0ffee ./rollcall " + command + " --slurm 26.05");
    assertTrue(
        ran.said().startsWith("root: --keep %1$s %1$s-26.05 sid ".formatted(results)), ran.said());
  }

  @Test
  void theSystemsOwnVersionRunsHere() throws Exception {
    Script.Ran ran = script.run(jdk, "./rollcall demo --slurm 22.05 --once");
    assertTrue(ran.said().endsWith(" dev.rollcall.lab.Main demo --slurm --once\n"), ran.said());
    assertEquals(0, ran.status());
  }

  /** Without the packages, the version that apt would install counts. */
  @Test
  void aptsVersionRunsHere() throws Exception {
    script
        .fake("dpkg-query", "case $* in *Version*) exit 1 ;; *) printf installed ;; esac")
        .fake("apt-cache", "echo '  Candidate: 1:24.11.5-4'");
    Script.Ran ran = script.run(jdk, "./rollcall demo --slurm 24.11");
    assertTrue(ran.said().endsWith(" dev.rollcall.lab.Main demo --slurm\n"), ran.said());
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "test", "bench"})
  void anUnknownVersionIsRefusedByItsName(String command) throws Exception {
    Script.Ran ran = script.run(jdk, "./rollcall " + command + " --slurm 19.05");
    assertEquals(
        "rollcall: --slurm 19.05: no Debian release with this Slurm is known. Versions: 22.05"
            + " (Debian 12), 24.11 (Debian 13), 26.05 (sid)\n",
        ran.said());
    assertEquals(1, ran.status());
  }

  /** Sid has a later Slurm one day: its root must not make another root. */
  @Test
  void aRootWithoutTheVersionEndsWithItsOwn() throws Exception {
    Script.Ran ran =
        script.run(jdk, "ROLLCALL_ROOT_OF=sid ./rollcall demo --slurm 26.05 2>&1 || true");
    assertEquals("rollcall: --slurm 26.05: Debian sid has Slurm 22.05\n", ran.said());
  }

  @Test
  void theEmulatedMachineHasItsOwnVersion() throws Exception {
    Script.Ran ran = script.run(jdk, "./rollcall demo --vm --slurm 24.11");
    assertTrue(ran.said().contains("cannot run with --vm"), ran.said());
    assertFalse(ran.said().contains("root:"), ran.said());
    assertEquals(1, ran.status());
  }
}
