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

/** The steps that the launcher shows while it installs and builds, with stand-ins for both. */
@Tag("root")
class StepsTest {
  private static final String JDK = System.getProperty("java.home");
  private static final String LINE_AGAIN = "\r\u001b[K";

  /** Maven, as it prints two of three modules and one file that it fetched. */
  private static final String MAVEN =
      """
      echo '[INFO] Scanning for projects...'
      echo '[INFO] Building Rollcall 0.1.0                              [1/3]'
      echo '[INFO]   from pom.xml'
      echo '[INFO] Downloaded from central: https://repository/a.jar (1 kB at 1 kB/s)'
      echo '[INFO] --------------------< dev.rollcall:rollcall-jobs >---------'
      echo '[INFO] Building Rollcall: jobs 0.1.0                        [2/3]'
      echo '[INFO]   from services/jobs/pom.xml'
      """;

  @TempDir private Path folder = Path.of("");
  private Script script = new Script(folder);

  @BeforeEach
  void copy() throws IOException {
    Files.copy(
        Path.of("../rollcall"), folder.resolve("rollcall"), StandardCopyOption.COPY_ATTRIBUTES);
    script = new Script(folder);
    script.fake("dpkg-query", "printf installed");
  }

  private void maven(String body) throws IOException {
    script.fake("mvnw", body);
    Files.move(folder.resolve("bin/mvnw"), folder.resolve("mvnw"));
  }

  @Test
  void eachModuleIsALineWithoutATerminal() throws Exception {
    maven(MAVEN);
    List<String> said = script.run(JDK, "./rollcall nodes || true").said().lines().toList();
    assertEquals(
        List.of(
            "rollcall: building (module 1 of 3: pom.xml)",
            "rollcall: building (module 2 of 3: services/jobs)"),
        said.subList(0, 2));
    assertTrue(said.get(2).matches("rollcall: building ended after \\d+ s"), said::toString);
  }

  /** Of script(1). The line also changes while a step lasts. */
  @Test
  void aTerminalHasOneLineWithTheTime() throws Exception {
    maven(MAVEN + "sleep 2");
    String said = onTerminal("xterm").said();
    for (String step : List.of("1 of 3: pom.xml), 0", "2 of 3: services/jobs), 1")) {
      assertTrue(said.contains("\u001b[?7lrollcall: building (module " + step + " s"), said);
    }
    assertTrue(said.contains(LINE_AGAIN + "rollcall: building ended after "), said);
  }

  /** The second ends while a line is read. */
  @Test
  void aLineThatComesInPartsIsWhole() throws Exception {
    String launcher = Files.readString(folder.resolve("rollcall"));
    int end = launcher.indexOf("# The steps in what Maven prints.");
    Files.writeString(folder.resolve("steps"), launcher.substring(0, end));
    String parts = "{ printf 'module 1 '; sleep 2.5; echo 'of 3: proto'; sleep 1.5; }";
    String said =
        script
            .run(JDK, "bash -c '. ./steps; " + parts.replace("'", "\"") + " | show_steps building'")
            .said();
    assertTrue(said.startsWith("rollcall: building (module 1 of 3: proto)\n"), said);
  }

  @Test
  void aTerminalThatCannotMoveTheCursorHasLines() throws Exception {
    maven(MAVEN);
    String said = onTerminal("dumb").said();
    assertFalse(said.contains("\u001b"), said);
    assertTrue(said.contains("rollcall: building (module 2 of 3: services/jobs)"), said);
  }

  private Script.Ran onTerminal(String term) throws IOException, InterruptedException {
    return script.run(JDK, "TERM=" + term + " script -qec './rollcall nodes || true' /dev/null");
  }

  @Test
  void filesThatMavenFetchesAreCounted() throws Exception {
    String line = "Downloaded from central: https://repository/a.jar (1 kB at 1 kB/s)";
    maven("for i in $(seq 120); do echo '" + line + "'; done");
    List<String> said = script.run(JDK, "./rollcall nodes || true").said().lines().toList();
    assertEquals(
        List.of(
            "rollcall: building (50 files downloaded)",
            "rollcall: building (100 files downloaded)"),
        said.subList(0, 2));
  }

  @Test
  void aBuildThatFailsPrintsItsErrorsAndNamesItsOutput() throws Exception {
    maven(MAVEN + "echo '[ERROR] Fault.java:[1,1] not Java'; exit 1");
    Script.Ran ran = script.run(JDK, "./rollcall nodes");
    assertEquals(1, ran.status());
    Path log = folder.resolve("deploy/target/build.log");
    assertTrue(
        ran.said()
            .endsWith(
                "[ERROR] Fault.java:[1,1] not Java\n"
                    + "rollcall: the build failed: all of its output is in "
                    + log
                    + "\n"),
        ran.said());
    assertTrue(Files.readString(log).contains("Scanning for projects"));
    assertFalse(Files.exists(folder.resolve("deploy/target/built")));
  }

  /** A program that a package started keeps what it inherited, and is not waited for. */
  @Test
  void theStepsOfAptAreShown() throws Exception {
    maven("");
    script
        .fake("dpkg-query", "case $* in *nanopb) exit 1 ;; *) printf installed ;; esac")
        .fake(
            "apt-get",
            """
            [ "$1" = install ] || exit 0
            sleep 600 2>&- &
            echo $! >daemon
            echo 'dlstatus:1:20.0000:Retrieving file 1 of 2' >&3
            sleep 2
            echo 'pmstatus:nanopb:60.0000:Unpacking nanopb:amd64' >&3
            """);
    Files.createDirectory(folder.resolve("sbin"));
    String command =
        "mount --bind sbin /usr/sbin; TERM=xterm script -qec './rollcall nodes || true' /dev/null";
    String said = script.run(JDK, command).said();
    long daemon = Long.parseLong(Files.readString(folder.resolve("daemon")).strip());
    assertTrue(ProcessHandle.of(daemon).map(ProcessHandle::destroy).orElse(false), said);
    assertTrue(said.contains("rollcall: installing (Retrieving file 1 of 2), "), said);
    assertTrue(said.contains("rollcall: installing (Unpacking nanopb:amd64), "), said);
    assertTrue(said.contains("rollcall: installing ended after "), said);
  }
}
