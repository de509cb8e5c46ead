package dev.rollcall.deploy.nhc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the check as NHC does: bash reads the file, then calls the function of a line. */
class NhcCheckTest {
  private static final String CHECK =
      Path.of("nhc/rollcall.nhc").toAbsolutePath().normalize().toString();

  /** NHC's own, as its documentation describes it: status and message of the check that failed. */
  private static final String DIE = "die() { echo \"died $1: $2\"; };";

  @TempDir private Path folder = Path.of("");

  /** A command that prints its words, then this line, and exits with this status. */
  private String answering(int status, String line) throws IOException {
    Path file = folder.resolve("rollcall");
    Files.writeString(
        file,
        "#!/bin/sh\necho \"$@\" >%s/asked\nprintf '%s'\nexit %d\n".formatted(folder, line, status));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private String run(String call, Map<String, String> environment) throws Exception {
    var bash =
        new ProcessBuilder("bash", "-c", DIE + " . '" + CHECK + "'; " + call + "; echo status $?");
    bash.redirectErrorStream(true);
    bash.environment().remove("SLURM_JOB_ID");
    bash.environment().putAll(environment);
    Process process = bash.start();
    try (var output = process.inputReader()) {
      return output.readAllAsString();
    }
  }

  private String asked() throws IOException {
    return Files.readString(folder.resolve("asked")).strip();
  }

  @Test
  void aCleanNodePasses() throws Exception {
    String rollcall = answering(0, "no job is ending on this node");
    assertEquals("status 0\n", run("check_rollcall_clean", Map.of("ROLLCALL", rollcall)));
    assertEquals("node clean --wait 10s", asked());
  }

  @Test
  void theFirstThingThatIsLeftIsTheReason() throws Exception {
    String rollcall = answering(1, "job 42: process 4711 (sleep)\\njob 42: cgroup /a\\n");
    assertEquals(
        "died 1: check_rollcall_clean: job 42: process 4711 (sleep)\nstatus 1\n",
        run("check_rollcall_clean 5s", Map.of("ROLLCALL", rollcall)));
    assertEquals("node clean --wait 5s", asked());
  }

  @Test
  void anAgentThatDoesNotAnswerIsNoCleanNode() throws Exception {
    String rollcall = answering(5, "rollcall: no answer");
    assertEquals(
        "died 1: check_rollcall_clean: rollcall: no answer\nstatus 1\n",
        run("check_rollcall_clean", Map.of("ROLLCALL", rollcall)));
  }

  @Test
  void inTheEpilogItAsksAboutThatJobAndInThePrologItDoesNot() throws Exception {
    String rollcall = answering(0, "");
    run(
        "check_rollcall_clean",
        Map.of(
            "ROLLCALL", rollcall, "SLURM_JOB_ID", "42", "SLURM_SCRIPT_CONTEXT", "epilog_slurmd"));
    assertEquals("node clean --job 42 --wait 10s", asked());
    run(
        "check_rollcall_clean",
        Map.of(
            "ROLLCALL", rollcall, "SLURM_JOB_ID", "42", "SLURM_SCRIPT_CONTEXT", "prolog_slurmd"));
    assertEquals("node clean --wait 10s", asked());
  }
}
